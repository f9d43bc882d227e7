import {useEffect, useState} from 'preact/hooks';
import type {Graph, GraphLayout} from '../base/layout.js';

/** The file of the worker; its name holds a hash, so the bundler fills it in. */
declare const LAYOUT_WORKER: string;

export interface Placed<T> {
  /** What was placed last: while another is on the way, still the one before. */
  readonly picture: T | undefined;
  readonly layout: GraphLayout | undefined;
  readonly error: Error | undefined;
}

/** Places a picture's graph in a thread of its own, so that the page stays quick. Another picture ends the one before. */
export function useLayout<T>(picture: T, graphOf: (picture: T) => Graph): Placed<T> {
  const [placed, setPlaced] = useState<Placed<T>>({picture: undefined, layout: undefined, error: undefined});
  useEffect(() => {
    const worker = new Worker(new URL(LAYOUT_WORKER, import.meta.url), {type: 'module'});
    worker.onmessage = ({data}: MessageEvent<GraphLayout>) => setPlaced({picture, layout: data, error: undefined});
    // The file may be gone when the gateway has been updated since the page was loaded.
    worker.onerror = () => setPlaced({picture, layout: undefined, error: new Error('load the page again')});
    worker.postMessage(graphOf(picture));
    return () => worker.terminate();
  }, [picture]);
  return placed;
}
