import {useId, useMemo, useState} from 'preact/hooks';
import {SOURCES} from '../base/sources.js';
import {useAnswer} from '../base/use-answer.js';
import {Choice, Switch} from '../parts/choice.js';
import {Editor} from '../parts/editor.js';
import {useDraft} from '../parts/use-draft.js';
import {EMPTY_FORM, type Form, formOf, withForm} from './conditions.js';
import {mode, suggestFor, valuesOf} from './suggest.js';

interface Draft {
  readonly text: string;
  /** Grows with every change that does not come from typing. */
  readonly revision: number;
}

interface FormProps {
  readonly source: string;
  readonly plugin: string;
  readonly draft: Draft;
  readonly range: string;
  readonly limit: string;
  readonly onDraft: (change: (before: Draft) => Draft) => void;
  readonly onSet: (values: Readonly<Record<string, string>>) => void;
  readonly onRun: () => void;
  readonly onOpen: (id: string) => void;
}

const RANGES = ['15m', '1h', '3h', '6h', '12h', '1d', '3d'];
const LIMITS = ['20', '50', '100', '200', '500'];

/** Conditions by fields and as text, which say the same at any time. */
export function SearchForm({source, plugin, draft, range, limit, onDraft, onSet, onRun, onOpen}: FormProps) {
  const form = formOf(draft.text);
  const set = (changed: Partial<Form>): void =>
    onDraft(({text, revision}) => ({
      text: withForm(text, {...(formOf(text) ?? EMPTY_FORM), ...changed}),
      revision: revision + 1,
    }));
  const {data: services = []} = useAnswer(plugin || undefined, () => valuesOf(plugin, 'resource.service.name'));
  const suggest = useMemo(() => suggestFor(plugin), [plugin]);
  return (
    <form
      class="panel body stack"
      onSubmit={event => {
        event.preventDefault();
        onRun();
      }}
    >
      <div class="bar">
        <Choice
          label="Source"
          value={source}
          options={SOURCES.map(({id, text}) => ({value: id, text}))}
          onChange={value => onSet({source: value})}
        />
        <Field
          label="Service"
          value={form?.service ?? ''}
          isOff={form === undefined}
          choices={services}
          onChange={service => set({service})}
        />
        <Field label="Span name" value={form?.name ?? ''} isOff={form === undefined} onChange={name => set({name})} />
        <Field
          label="Took at least"
          value={form?.minimum ?? ''}
          isOff={form === undefined}
          hint="100ms"
          pattern="\s*[0-9.]+\s*(ns|us|µs|ms|s|m|h)\s*"
          refusal="a number and its unit, as 100ms"
          clean={text => text.replaceAll(/\s/g, '')}
          onChange={minimum => set({minimum})}
        />
        <Switch label="Failed" isOn={form?.isFailed ?? false} onChange={isFailed => set({isFailed})} />
      </div>
      <div class="stack tight">
        <span class="quiet small" aria-hidden="true">
          Query
        </span>
        <Editor
          key={plugin}
          label="Query"
          value={draft.text}
          revision={draft.revision}
          onChange={text => onDraft(({revision}) => ({text, revision}))}
          onRun={onRun}
          suggest={suggest}
          extensions={mode}
        />
      </div>
      <div class="bar">
        <button type="submit" class="main">
          Search
        </button>
        <Choice
          label="Range"
          value={range}
          options={[
            {value: '', text: 'All that is kept'},
            ...RANGES.map(text => ({value: text, text: `Last ${text}`})),
          ]}
          onChange={value => onSet({range: value})}
        />
        <Choice
          label="At most"
          value={limit}
          options={LIMITS.map(text => ({value: text, text}))}
          onChange={value => onSet({limit: value})}
        />
        <OpenById onOpen={onOpen} />
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly isOff: boolean;
  readonly hint?: string;
  readonly pattern?: string;
  /** What is said while the text is none of the pattern. */
  readonly refusal?: string;
  /** The value that a text stands for; without spaces around it unless said. */
  readonly clean?: (text: string) => string;
  readonly choices?: readonly string[];
  readonly onChange: (value: string) => void;
}

const trimmed = (text: string): string => text.trim();

function Field({label, value, isOff, hint, pattern, refusal, clean = trimmed, choices, onChange}: FieldProps) {
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const {text, type, handOn} = useDraft(value, onChange);
  return (
    <div class="field grow">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={text}
        disabled={isOff}
        placeholder={hint}
        pattern={pattern}
        autocomplete="off"
        {...(choices !== undefined && {list: `${id}-list`})}
        onInput={event => {
          const {value: typed, validity} = event.currentTarget;
          type(typed);
          setRefused(!validity.valid);
          if (validity.valid) handOn(clean(typed));
        }}
      />
      {refusal !== undefined && (
        <p class="refusal" role="status">
          {isRefused && refusal}
        </p>
      )}
      {choices !== undefined && (
        <datalist id={`${id}-list`}>
          {choices.map(choice => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function OpenById({onOpen}: {readonly onOpen: (id: string) => void}) {
  const [id, setId] = useState('');
  const field = useId();
  const open = (): void => {
    if (id.trim() !== '') onOpen(id.trim());
  };
  return (
    <>
      <div class="field grow">
        <label for={field}>Trace ID</label>
        <input
          id={field}
          value={id}
          autocomplete="off"
          onInput={event => setId(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            open();
          }}
        />
      </div>
      <button type="button" onClick={open}>
        Open
      </button>
    </>
  );
}
