import {useEffect, useState} from 'preact/hooks';

/**
 * The text of a field that hands on less than is typed: trimmed, only what is valid, or only when it is entered. Rendering
 * a field with what it has handed on would take away the rest while the user types. A value that comes from elsewhere, as
 * from a link or another field, takes the place of what was typed.
 */
export function useDraft(value: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(before => (before.trim() === value ? before : value)), [value]);
  return [draft, setDraft];
}
