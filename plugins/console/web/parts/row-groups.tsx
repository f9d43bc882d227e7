import type {ComponentChildren} from 'preact';
import {useEffect, useMemo, useState} from 'preact/hooks';

const GROUP = 200;
/** Milliseconds: first for what else the page shows, then for what its user does. */
const PAUSES = {first: 300, next: 20};

interface GroupsProps<T> {
  readonly rows: readonly T[];
  /** A row with its key. Rows are drawn anew when this or the rows change. */
  readonly draw: (row: T) => ComponentChildren;
}

/**
 * The bodies of a long table: the first rows at once, the others by and by, with pauses. All rows
 * of thousands at once would hold the page for as long as it takes to lay them out.
 */
export function RowGroups<T>({rows, draw}: GroupsProps<T>) {
  const groups = useMemo(
    () => Array.from({length: Math.ceil(rows.length / GROUP)}, (_, i) => rows.slice(i * GROUP, (i + 1) * GROUP)),
    [rows],
  );
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown >= groups.length) return undefined;
    const timer = setTimeout(() => setShown(shown + 1), shown === 1 ? PAUSES.first : PAUSES.next);
    return () => clearTimeout(timer);
  }, [groups, shown]);
  return (
    <>
      {groups.slice(0, shown).map((group, i) => (
        <RowGroup key={i} rows={group} draw={draw} />
      ))}
    </>
  );
}

function RowGroup<T>({rows, draw}: GroupsProps<T>) {
  return useMemo(() => <tbody>{rows.map(draw)}</tbody>, [rows, draw]);
}
