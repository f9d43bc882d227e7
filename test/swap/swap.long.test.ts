import test from 'ava';
import {suiteWith} from '../support/programs.js';
import {ALL_REQUESTS, compare, nameOf} from './compare.js';
import {finding} from './finding.js';
import {EMBEDDED, loadInto, OTHERS, send, startOver} from './gateways.js';

const IN_ONE_BODY = 1_000_000;

test.serial('what is compared finds what it is meant to find', async t => {
  const reference = await startOver(t, EMBEDDED);
  await loadInto(reference, EMBEDDED, IN_ONE_BODY);
  const surprising: string[] = [];
  for (const request of ALL_REQUESTS) {
    const answer = await send(reference, request);
    const found = finding(answer);
    if (found !== request.finds) surprising.push(`${nameOf(request)} finds ${found}: ${answer.text.slice(0, 200)}`);
  }
  t.deepEqual(surprising, [], `of ${ALL_REQUESTS.length} requests`);
});

for (const backend of OTHERS) {
  suiteWith(test, backend.needs, `dashboards see the same over ${backend.name}`, () => {
    test.serial(`dashboards see the same over ${backend.name} as over embedded, byte for byte`, async t => {
      const [expected, actual] = await Promise.all([startOver(t, EMBEDDED), startOver(t, backend)]);
      await loadInto(expected, EMBEDDED, IN_ONE_BODY);
      // In other pieces, and twice: neither may make a difference.
      await loadInto(actual, backend, 5003);
      await loadInto(actual, backend, 30_011);
      const differing: string[] = [];
      for (const request of ALL_REQUESTS) {
        const difference = await compare(request, backend, expected, actual);
        if (difference !== undefined) differing.push(difference);
      }
      t.deepEqual(differing, [], `${differing.length} of ${ALL_REQUESTS.length} answers differ`);
    });
  });
}
