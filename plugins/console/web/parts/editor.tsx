import {autocompletion, type CompletionSource, completionStatus, selectedCompletion} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, insertNewline} from '@codemirror/commands';
import {Annotation, Compartment, EditorState, type Extension, Prec} from '@codemirror/state';
import {EditorView, keymap} from '@codemirror/view';
import {useEffect, useRef} from 'preact/hooks';

interface EditorProps {
  /** Its accessible name. */
  readonly label: string;
  readonly value: string;
  /** Grows when the value comes from elsewhere than the field itself, which is not told what it has told. */
  readonly revision: number;
  readonly onChange: (value: string) => void;
  readonly onRun: () => void;
  readonly suggest: CompletionSource;
  readonly extensions: Extension;
}

/** The page lets in styles that carry its nonce. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

/** As many suggestions are in the page at once; typing on narrows them down. */
const SHOWN = 500;

const theme = EditorView.theme({
  '&': {fontFamily: 'var(--mono)', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)'},
  '.cm-content': {padding: '7px 0', caretColor: 'var(--text)'},
  '.cm-line': {padding: '0 10px'},
  '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '&.cm-focused': {outline: 'none'},
  '.cm-tooltip': {backgroundColor: 'var(--surface)', border: '1px solid var(--edge)', borderRadius: '6px'},
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '18em',
    maxWidth: 'min(560px, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {padding: '3px 10px'},
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-fill)',
    color: '#fff',
  },
  '.cm-tooltip .cm-completionInfo': {padding: '6px 10px', maxWidth: '320px'},
  '.cm-completionIcon': {display: 'none'},
  // The library's own mark is an image in the style sheet, which the page does not let in.
  '.cm-lintRange.cm-lintRange-error, .cm-lintRange.cm-lintRange-active': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnostic': {padding: '6px 10px', borderLeft: '3px solid var(--bad)'},
});

/** Marks a change that the page has made: told to the page again, it would undo what has come since. */
const ofPage = Annotation.define<boolean>();

/** A text field of a query language. Enter runs, Shift+Enter begins a line, Tab leaves. */
export function Editor({label, value, revision, onChange, onRun, suggest, extensions}: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const handlers = useRef({onChange, onRun});
  handlers.current = {onChange, onRun};
  const name = useRef(new Compartment());

  useEffect(() => {
    const run = ({state}: EditorView): boolean => {
      // An option that somebody went to is taken; that some are shown is no reason not to run.
      if (completionStatus(state) === 'active' && selectedCompletion(state) !== null) return false;
      handlers.current.onRun();
      return true;
    };
    const made = new EditorView({
      ...(host.current && {parent: host.current}),
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          Prec.highest(keymap.of([{key: 'Enter', run, shift: insertNewline}])),
          history(),
          autocompletion({
            override: [suggest],
            selectOnOpen: false,
            icons: false,
            maxRenderedOptions: SHOWN,
          }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          extensions,
          theme,
          EditorView.lineWrapping,
          name.current.of(EditorView.contentAttributes.of({'aria-label': label, spellcheck: 'false'})),
          EditorView.updateListener.of(update => {
            if (!update.docChanged || update.transactions.some(each => each.annotation(ofPage))) return;
            handlers.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const attributes = EditorView.contentAttributes.of({'aria-label': label, spellcheck: 'false'});
    view.current?.dispatch({effects: name.current.reconfigure(attributes)});
  }, [label]);

  // A value from elsewhere: a link, the history.
  useEffect(() => {
    const current = view.current;
    if (current === undefined || current.state.doc.toString() === value) return;
    current.dispatch({changes: {from: 0, to: current.state.doc.length, insert: value}, annotations: ofPage.of(true)});
  }, [revision]);

  return <div class="editor" ref={host} />;
}
