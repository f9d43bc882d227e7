import {useEffect, useState} from 'preact/hooks';

const SERIES = 8;

/** The colour of the series at an index, for styles: it follows the scheme by itself. */
export function seriesColour(index: number): string {
  return `var(--s${(index % SERIES) + 1})`;
}

const PROBE = document.createElement('span');

/** A colour as a canvas takes it: of the scheme that is on now. */
export function resolved(colour: string): string {
  PROBE.hidden = true;
  PROBE.style.color = colour;
  document.body.append(PROBE);
  const value = getComputedStyle(PROBE).color;
  PROBE.remove();
  return value;
}

/** Whether the scheme is dark: pictures on canvas are drawn anew when it changes. */
export function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const changed = (): void => setDark(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return isDark;
}

/** The width of an element in CSS pixels; 0 until it is known. */
export function useWidth(element: {readonly current: HTMLElement | null}): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const {current} = element;
    if (current === null) return undefined;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
