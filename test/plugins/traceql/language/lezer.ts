import {createRequire} from 'node:module';

// The ES module of the package is made for bundlers.
const {parser} = createRequire(import.meta.url)('@grafana/lezer-traceql') as typeof import('@grafana/lezer-traceql');

/** Whether the parser of Grafana's query editor reads the text without an error. */
export function isTraceQL(text: string): boolean {
  let isGood = true;
  parser.parse(text).iterate({
    enter: ({type}) => {
      if (type.isError) isGood = false;
    },
  });
  return isGood;
}
