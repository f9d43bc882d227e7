import {useId, useMemo, useState} from 'preact/hooks';
import {secondsOf} from '../base/durations.js';
import {time, type Zone} from '../base/format.js';
import {addressOf, change} from '../base/location.js';
import {Choice, Switch} from '../parts/choice.js';
import {Editor} from '../parts/editor.js';
import {suggest} from './complete.js';
import {refusals} from './lint.js';
import {mode} from './mode.js';
import {pastExpressions} from './past.js';
import {type QuerySettings, RANGE_OPTIONS, REFRESH_OPTIONS, ZONE_OPTIONS} from './settings.js';

/** The expressions as they are written. */
export interface Drafts {
  readonly texts: readonly string[];
  /** Grows with every change that does not come from typing. */
  readonly revision: number;
}

interface FormProps {
  readonly drafts: Drafts;
  readonly settings: QuerySettings;
  /** The end of the range that is shown, Unix seconds. */
  readonly shownEnd: number | undefined;
  readonly onDrafts: (drafts: Drafts) => void;
  readonly onRun: () => void;
  readonly onSet: (values: Partial<Record<keyof QuerySettings, string | undefined>>) => void;
}

export function QueryForm({drafts, settings, shownEnd, onDrafts, onRun, onSet}: FormProps) {
  const {texts, revision} = drafts;
  const replace = (changed: readonly string[]): void => onDrafts({texts: changed, revision: revision + 1});
  const past = pastExpressions();
  const end = settings.end ?? shownEnd;
  const move = (direction: number): void => {
    const by = ((secondsOf(settings.range) ?? 0) / 2) * direction;
    const moved = (end ?? Math.floor(Date.now() / 1000)) + by;
    onSet({end: moved >= Date.now() / 1000 ? undefined : String(Math.round(moved))});
  };
  return (
    <form
      class="panel body stack"
      onSubmit={event => {
        event.preventDefault();
        onRun();
      }}
    >
      {texts.map((draft, index) => (
        <div class="expression" key={index}>
          <Expression
            number={index + 1}
            value={draft}
            revision={revision}
            onChange={value => onDrafts({texts: texts.map((each, i) => (i === index ? value : each)), revision})}
            onRun={onRun}
          />
          {texts.length > 1 && (
            <button
              type="button"
              aria-label={`Remove expression ${index + 1}`}
              onClick={() => replace(texts.filter((_, i) => i !== index))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      <div class="bar">
        <button type="submit" class="main">
          Run
        </button>
        <button type="button" onClick={() => replace([...texts, ''])}>
          Add expression
        </button>
        <Choice label="Range" value={settings.range} options={RANGE_OPTIONS} onChange={range => onSet({range})} />
        <EndField end={settings.end} zone={settings.zone} onChange={value => onSet({end: value})} />
        <div class="pair">
          <button type="button" aria-label="Earlier" onClick={() => move(-1)}>
            ←
          </button>
          <button type="button" aria-label="Later" disabled={settings.end === undefined} onClick={() => move(1)}>
            →
          </button>
        </div>
        <Choice label="Time zone" value={settings.zone} options={ZONE_OPTIONS} onChange={zone => onSet({zone})} />
        <Choice
          label="Auto refresh"
          value={settings.refresh}
          options={REFRESH_OPTIONS}
          onChange={refresh => onSet({refresh})}
        />
        {past.length > 0 && (
          <Choice
            label="History"
            value=""
            options={[{value: '', text: 'Choose…'}, ...past.map(text => ({value: text, text}))]}
            onChange={text => text !== '' && replace([text, ...texts.slice(1)])}
          />
        )}
        <Switch label="Stacked" isOn={settings.stacked} onChange={isOn => onSet({stacked: isOn ? '1' : undefined})} />
        <Switch
          label="Compare with yesterday"
          isOn={settings.yesterday}
          onChange={isOn => onSet({yesterday: isOn ? '1' : undefined})}
        />
        {end !== undefined && <FixedLink end={end} settings={settings} />}
      </div>
    </form>
  );
}

interface ExpressionProps {
  readonly number: number;
  readonly value: string;
  readonly revision: number;
  readonly onChange: (value: string) => void;
  readonly onRun: () => void;
}

function Expression({number, value, revision, onChange, onRun}: ExpressionProps) {
  const [refusal, setRefusal] = useState('');
  const extensions = useMemo(() => [mode, refusals(setRefusal)], []);
  const label = number === 1 ? 'Expression' : `Expression ${number}`;
  return (
    <div class="stack tight grow">
      <Editor
        label={label}
        value={value}
        revision={revision}
        onChange={onChange}
        onRun={onRun}
        suggest={suggest}
        extensions={extensions}
      />
      <p class="refusal" role="status">
        {refusal}
      </p>
    </div>
  );
}

interface EndProps {
  readonly end: number | undefined;
  readonly zone: Zone;
  readonly onChange: (value: string | undefined) => void;
}

function EndField({end, zone, onChange}: EndProps) {
  const id = useId();
  const shown = end === undefined ? '' : time(end * 1000, zone).replace(' ', 'T');
  const changed = (text: string): void => {
    const at = Date.parse(zone === 'utc' ? `${text}Z` : text);
    onChange(Number.isNaN(at) ? undefined : String(at / 1000));
  };
  return (
    <div class="field">
      <label for={id}>End (empty: now)</label>
      <input
        id={id}
        type="datetime-local"
        step="1"
        value={shown}
        onChange={event => changed(event.currentTarget.value)}
      />
    </div>
  );
}

/** An address that shows the same tomorrow: its end is a time, not "now". */
function FixedLink({end, settings}: {readonly end: number; readonly settings: QuerySettings}) {
  const [isCopied, setCopied] = useState(false);
  const {expressions, range, zone, stacked, yesterday, only} = settings;
  const address = addressOf('query', {
    expr: expressions,
    range,
    end: String(end),
    zone: zone === 'utc' ? zone : undefined,
    stacked: stacked ? '1' : undefined,
    yesterday: yesterday ? '1' : undefined,
    only,
  });
  const copy = async (): Promise<void> => {
    // Without leave to write to the clipboard the link stands in the address bar.
    change({end: String(end)}, 'replace');
    await navigator.clipboard?.writeText(location.origin + address).catch(() => undefined);
    setCopied(true);
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Link copied' : 'Copy link'}
    </button>
  );
}
