import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

/** What may be wider than its place: then it scrolls, by the keyboard too. */
export function Scroll({kind, children}: {readonly kind: string; readonly children: ComponentChildren}) {
  const element = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const {current} = element;
    if (current === null) return undefined;
    const measure = (): void =>
      setWider(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    measure();
    return () => observer.disconnect();
  }, [children]);
  return (
    <div ref={element} class={`${kind} scroll`} tabIndex={isWider ? 0 : undefined}>
      {children}
    </div>
  );
}
