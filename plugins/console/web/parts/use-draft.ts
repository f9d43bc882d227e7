import {useEffect, useRef, useState} from 'preact/hooks';

export interface FieldDraft {
  /** What the field shows. */
  readonly text: string;
  readonly type: (text: string) => void;
  /** Gives a value to the page, which comes back as the field's own a little later. */
  readonly handOn: (value: string) => void;
}

/**
 * The text of a field that hands on less than is typed: trimmed, only what is valid, or only after a pause. Rendering a
 * field with what it has handed on would take away the rest while the user types, also what was typed since. A value that
 * comes from elsewhere, as from a link or another field, takes the place of what was typed.
 */
export function useDraft(value: string, onChange: (value: string) => void): FieldDraft {
  const [text, type] = useState(value);
  /** Handed on, and not come back yet. */
  const pending = useRef<string[]>([]);
  useEffect(() => {
    const at = pending.current.indexOf(value);
    if (at < 0) type(value);
    pending.current = at < 0 ? [] : pending.current.slice(at + 1);
  }, [value]);
  const handOn = (next: string): void => {
    if (next === (pending.current.at(-1) ?? value)) return;
    pending.current.push(next);
    onChange(next);
  };
  return {text, type, handOn};
}
