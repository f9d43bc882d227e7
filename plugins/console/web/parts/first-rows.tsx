import type {VNode} from 'preact';
import {useState} from 'preact/hooks';
import {count} from '../base/format.js';

/**
 * The first rows of a long table, and the button that shows the others: a page holds still while thousands of rows are
 * laid out, so nobody waits for those that nobody asked for.
 */
export function useFirstRows<T>(rows: readonly T[], most: number, what: string): [readonly T[], VNode | null] {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || rows.length <= most) return [rows, null];
  const more = (
    <div class="body">
      <button type="button" onClick={() => setWhole(true)}>
        Show all {count(rows.length)} {what}
      </button>
    </div>
  );
  return [rows.slice(0, most), more];
}
