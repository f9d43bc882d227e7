import {useEffect, useRef, useState} from 'preact/hooks';
import {ApiError} from './api.js';

/** What is known of something that is asked for. */
export interface Answer<T> {
  /** The newest that has come: while another is on the way, still the one before. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isBusy: boolean;
  /** Milliseconds from the question to the answer. */
  readonly took: number | undefined;
}

/** Milliseconds until a gateway that cannot be reached, as while it starts again, is asked once more. */
const AGAIN = 3000;

const NOTHING = {data: undefined, error: undefined, isBusy: false, took: undefined};

/**
 * Asks whenever `key` changes, and ends the question before, so that a late answer never takes the place of a newer one.
 * An undefined key asks nothing. A gateway that cannot be reached is asked again until it answers.
 */
export function useAnswer<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(NOTHING);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) {
      setAnswer(NOTHING);
      return undefined;
    }
    const controller = new AbortController();
    const {signal} = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = performance.now();
    const settle = (change: Partial<Answer<T>>): void => {
      if (signal.aborted) return;
      setAnswer(before => ({...before, isBusy: false, took: performance.now() - begin, ...change}));
    };
    setAnswer(before => ({...before, isBusy: true}));
    const start = (): void => {
      latest.current(signal).then(
        data => settle({data, error: undefined}),
        (error: Error) => {
          settle({data: undefined, error});
          if (error instanceof ApiError && error.status === 0 && !signal.aborted) timer = setTimeout(start, AGAIN);
        },
      );
    };
    start();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return answer;
}

/** A number that grows every so many milliseconds; 0 for never. While the page is hidden it rests. */
export function useTicks(milliseconds: number): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    if (milliseconds === 0) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setTicks(count => count + 1);
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return ticks;
}
