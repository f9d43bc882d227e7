import {getHeapStatistics, setFlagsFromString} from 'node:v8';

/**
 * How much a heap grows beyond what lives in it before garbage is looked for, in percent. Left alone, V8 lets it grow to up to
 * four times of that where much is made and little stays: a gateway with 140 MB of catalog and connections came to 300 to 390.
 * A small heap may grow by more: looking through it too often costs a third of the processor time of a trace of 10,000 spans.
 */
const LEAST = 50;
const MOST = 200;

/** What a heap may grow by between the two, in bytes. */
const ROOM = 96 * 1024 * 1024;

const BETWEEN_LOOKS_MS = 1000;

/** For all threads of the process, by the heap of this one. V8 looks at the flag with each collection, so it may be set while the program runs. */
export function boundHeap(): void {
  let set = 0;
  const look = (): void => {
    const growth = Math.round((100 * ROOM) / getHeapStatistics().used_heap_size);
    const percent = Math.min(MOST, Math.max(LEAST, growth));
    if (percent === set) return;
    setFlagsFromString(`--heap-growing-percent=${percent}`);
    set = percent;
  };
  look();
  setInterval(look, BETWEEN_LOOKS_MS).unref();
}
