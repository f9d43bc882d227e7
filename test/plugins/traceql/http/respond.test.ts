import test from 'ava';
import {searchReply} from '../../../../plugins/traceql/http/respond.js';
import type {TraceMatch} from '../../../../plugins/traceql/search/search.js';
import type {CandidateSpan} from '../../../../plugins/traceql/source.js';

const ROOT: CandidateSpan = {
  attributes: {service: 'shop', name: 'a', kind: 'SERVER', status: 'UNSET', duration: 1, tag: () => undefined},
  spanId: '01',
  start: 1,
  startNanos: '1000',
  durationNanos: '1000',
  serviceName: 'shop',
  rootSpanName: 'a'.repeat(32 * 1024 * 1024),
};

test('an answer that grows beyond all measure ends the search', async t => {
  let asked = 0;
  let isEnded = false;
  async function* endless(): AsyncGenerator<TraceMatch> {
    try {
      for (;;) {
        asked++;
        yield {trace: {traceId: '0a', spans: [ROOT], root: ROOT, bounds: {startNanos: '1000', duration: 1}}, spans: []};
      }
    } finally {
      isEnded = true;
    }
  }
  const error = await t.throwsAsync(searchReply(endless(), []), {code: 'limit_exceeded'});
  t.is(error?.message, 'the traces found are longer than 134217728 characters: narrow the query, or lower "limit"');
  t.is(asked, 4);
  t.true(isEnded);
});
