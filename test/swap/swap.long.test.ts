import test from 'ava';
import {ownerOf} from '../support/owner.js';
import {suiteWith} from '../support/programs.js';
import {ALL_REQUESTS, type Answers, answersOf, differences, nameOf} from './compare.js';
import {finding} from './finding.js';
import {EMBEDDED, loadInto, OTHERS, startOver} from './gateways.js';

const IN_ONE_BODY = 1_000_000;

const owner = ownerOf(test);
let asked: Promise<Answers> | undefined;
const ofEmbedded = (): Promise<Answers> => {
  asked ??= startOver(owner, EMBEDDED).then(async gateway => {
    await loadInto(gateway, EMBEDDED, IN_ONE_BODY);
    return answersOf(gateway);
  });
  return asked;
};

test.serial('what is compared finds what it is meant to find', async t => {
  const surprising: string[] = [];
  for (const [request, answer] of await ofEmbedded()) {
    const found = finding(answer);
    if (found !== request.finds) surprising.push(`${nameOf(request)} finds ${found}: ${answer.text.slice(0, 200)}`);
  }
  t.deepEqual(surprising, [], `of ${ALL_REQUESTS.length} requests`);
});

for (const backend of OTHERS) {
  suiteWith(test, backend.needs, `dashboards see the same over ${backend.name}`, () => {
    test.serial(`dashboards see the same over ${backend.name} as over embedded, byte for byte`, async t => {
      const [expected, actual] = await Promise.all([ofEmbedded(), startOver(t, backend)]);
      // In other pieces, and twice: neither may make a difference.
      await loadInto(actual, backend, 5003);
      await loadInto(actual, backend, 30_011);
      const differing = await differences(expected, actual, backend.without);
      t.deepEqual(differing, [], `${differing.length} of ${ALL_REQUESTS.length} answers differ`);
    });
  });
}
