import {CLASSES} from '../judgement.js';
import type {RehearsalOutcome, Tally} from '../tally.js';

/** Of what is unexplained so much is shown; the rest is in a report. */
const SHOWN = 10;
const WIDTH = 18;

/** What a person reads on the terminal. */
export function summary(tally: Tally, seconds: number): string {
  const {counts, exemptions, latency, unequal, asked, bad} = tally;
  const unexplained = unequal.filter(({class: of}) => of === 'differs' || of === 'error');
  const more = unexplained.length - SHOWN;
  const lines = [
    `asked ${asked} ${asked === 1 ? 'request' : 'requests'} of both storages in ${seconds.toFixed(1)} s`,
    ...CLASSES.map(name => `  ${name.padEnd(WIDTH)}${counts[name]}`),
    ...(bad.length > 0
      ? [`${bad.length} ${bad.length === 1 ? 'entry' : 'entries'} of the traffic could not be read`]
      : []),
    ...(exemptions.length > 0 ? ['exemptions that were used, and for how many requests:'] : []),
    ...exemptions.map(({what, requests}) => `  ${String(requests).padEnd(8)}${what}`),
    ...(['old', 'new'] as const).map(side => {
      const {p50, p95, p99} = latency[side];
      return `the ${side} storage took ${p50} ms for half of the answers, ${p95} ms for 95 %, ${p99} ms for 99 %`;
    }),
    ...unexplained.slice(0, SHOWN).map(lineOf),
    ...(more > 0 ? [`and ${more} more that differ or fail: --report FILE lists them all`] : []),
    ...(asked === 0 ? ['nothing was asked, so nothing is known'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function lineOf({class: of, source, plugin, method, path, parameters, asked, difference}: RehearsalOutcome): string {
  const question = `${source}: ${of}: ${plugin}: ${method} ${path}?${asked ?? parameters}`;
  if (difference === undefined) return question;
  const {at, old, new: next} = difference;
  return `${question}\n  at ${at}\n    old: ${old ?? 'nothing'}\n    new: ${next ?? 'nothing'}`;
}
