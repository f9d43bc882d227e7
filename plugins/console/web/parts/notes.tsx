import type {ComponentChildren} from 'preact';

/** What went wrong, said where it is missed, and announced. */
export function Failure({what, error}: {readonly what: string; readonly error: Error}) {
  return (
    <div class="note bad" role="alert">
      <strong>{what}</strong>
      <span>{error.message}</span>
    </div>
  );
}

/** What is going on, or why there is nothing to see. */
export function Note({children}: {readonly children: ComponentChildren}) {
  return (
    <div class="note" role="status">
      {children}
    </div>
  );
}

/** A state in a word, with a mark whose form differs as its colour does. */
export function StateMark({state}: {readonly state: string}) {
  const kind = KINDS[state] ?? 'plain';
  return (
    <span class={`state ${kind}`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {SHAPES[kind]}
      </svg>
      {state}
    </span>
  );
}

type Kind = 'good' | 'warn' | 'bad' | 'plain';

const KINDS: Readonly<Record<string, Kind>> = {
  ok: 'good',
  online: 'good',
  degraded: 'warn',
  starting: 'warn',
  stopping: 'warn',
  offline: 'bad',
  failed: 'bad',
  error: 'bad',
};

const SHAPES: Readonly<Record<Kind, ComponentChildren>> = {
  good: <circle cx="5" cy="5" r="4" />,
  warn: <path d="M5 1 9.5 9h-9z" />,
  bad: <path d="M2 2h6v6H2z" />,
  plain: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" stroke-width="1.6" />,
};
