import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {Quorum} from '../../../storage-adapters/clickhouse/client/quorum.js';
import {ServerError} from '../../../storage-adapters/clickhouse/client/server-error.js';
import type {Settings} from '../../../storage-adapters/clickhouse/client/statement.js';
import {call} from '../support/calls.js';

const FEW =
  'Code: 285, e.displayText() = DB::Exception: Number of alive replicas (1) is less than requested quorum (2).';
const UNKNOWN =
  'Code: 319, e.displayText() = DB::Exception: Unknown status, client must retry. Reason: Timeout while waiting for quorum';
const STARTING = 'Code: 242, e.displayText() = DB::Exception: Table is in readonly mode';
const INACTIVE = 'Code: 164, e.displayText() = DB::Exception: Replica is not active right now';
const FULL = 'Code: 243, e.displayText() = DB::Exception: Cannot reserve 1.00 MiB, not enough space';
const turnOf = (part: string) =>
  `Code: 286, e.displayText() = DB::Exception: Quorum for previous write has not been satisfied yet. Status: version: 1\npart_name: ${part}\nrequired_number_of_replicas: 2`;

interface Write {
  /** What the server says to the tries, as long as it refuses them. */
  readonly refusals: readonly string[];
  readonly sent: readonly Settings[];
  /** The error that is told, when the write fails. */
  readonly fails?: RegExp;
}

const whole = (quorum = 2): Settings => ({insert_quorum: quorum, insert_quorum_timeout: 10_000});
const hasty: Settings = {insert_quorum: 2, insert_quorum_timeout: 1000};
const again: Settings = {insert_deduplicate: 0};

const cases: readonly {
  readonly title: string;
  readonly replicas?: number;
  readonly isFixed?: boolean;
  readonly writes: readonly Write[];
  readonly isShort: boolean;
}[] = [
  {title: 'all replicas are waited for', writes: [{refusals: [], sent: [whole()]}], isShort: false},
  {
    title: 'one that is dead is not, and the next write asks for it again',
    writes: [
      {refusals: [FEW], sent: [whole(), {}]},
      {refusals: [FEW], sent: [whole(), {}]},
    ],
    isShort: true,
  },
  {
    title: 'of three as many as are alive',
    replicas: 3,
    writes: [{refusals: [FEW], sent: [whole(3), whole(2)]}],
    isShort: true,
  },
  {
    title: 'what a quorum may discard is stored once more, and the next write waits for less time',
    writes: [
      {refusals: [UNKNOWN], sent: [whole(), again]},
      {refusals: [], sent: [hasty]},
      {refusals: [], sent: [whole()]},
    ],
    isShort: false,
  },
  {
    title: 'a write waits while others have their turn, or a replica starts',
    writes: [
      {
        refusals: [turnOf('all_1_1_0'), turnOf('all_2_2_0'), STARTING, INACTIVE],
        sent: [1, 2, 3, 4, 5].map(() => whole()),
      },
    ],
    isShort: false,
  },
  {
    title: 'a number that is configured is what it takes',
    isFixed: true,
    writes: [
      {refusals: [FEW], sent: [whole()], fails: /285/},
      {refusals: [turnOf('all_1_1_0'), UNKNOWN], sent: [whole(), whole()], fails: /319/},
    ],
    isShort: false,
  },
  {title: 'another error fails the write', writes: [{refusals: [FULL], sent: [whole()], fails: /243/}], isShort: false},
];

for (const {title, replicas = 2, isFixed = false, writes, isShort} of cases) {
  test(`writes on a cluster: ${title}`, async t => {
    let short = 0;
    const quorum = new Quorum(replicas, isFixed, call.log, () => short++);
    for (const {refusals, sent, fails} of writes) {
      const seen: Settings[] = [];
      const left = [...refusals];
      const stored = quorum.store(async settings => {
        seen.push(settings);
        const refusal = left.shift();
        if (refusal !== undefined) throw new ServerError(refusal).toGatewayError('http://host:8123');
      });
      if (fails === undefined) await stored;
      else t.regex((await t.throwsAsync(stored, {instanceOf: GatewayError}))?.message ?? '', fails);
      t.deepEqual(seen, sent);
    }
    t.is(quorum.shortage !== undefined, isShort);
    t.is(
      short > 0,
      writes.some(({sent}) => sent.at(-1)?.insert_quorum !== replicas),
    );
  });
}
