import {createHash} from 'node:crypto';
import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {hashSync} from 'bcryptjs';
import {AccessTable} from '../../../core/access/access-table.js';
import {hashPassword, Passwords} from '../../../core/access/passwords.js';
import type {Right} from '../../../core/api/access.js';

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const bcrypt = (password: string, kind = 'b'): string => hashSync(password, 4).replace(/^\$2b/, `$2${kind}`);

const tokens = [
  {name: 'grafana', sha256: digest('first'), rights: ['read' as Right]},
  {name: 'grafana', sha256: digest('second').toUpperCase(), rights: ['read' as Right]},
  {name: 'sender', sha256: digest('third'), rights: ['write' as Right]},
];
const user = (name: string, password: string, rights: readonly Right[] = ['read']) => ({name, password, rights});

const passwords = new Passwords();
test.after.always(() => passwords.stop());

let table: AccessTable;
test.before(async () => {
  const users = [
    user('ops', bcrypt('old')),
    user('ops', bcrypt('new', 'y'), ['admin']),
    user('a', bcrypt('pa', 'a')),
    user('s', await hashPassword('a:b ü')),
    user('long', bcrypt('x'.repeat(72))),
  ];
  table = new AccessTable({tokens, users}, passwords);
});

const CREDENTIALS: readonly (readonly [title: string, header: string | undefined, verdict: string])[] = [
  ['none', undefined, 'missing'],
  ['a token', 'Bearer first', 'grafana'],
  ['a second token of the same name', 'Bearer second', 'grafana'],
  ['a scheme in other letters, and blanks', 'bEARER   third ', 'sender'],
  ['the digest of a token', `Bearer ${digest('first')}`, 'wrong'],
  ['a token that goes on', 'Bearer first1', 'wrong'],
  ['an empty token', 'Bearer ', 'wrong'],
  ['another scheme', 'Digest first', 'wrong'],
  ['a token without a scheme', 'first', 'wrong'],
  ['a password as $2b$', basic('ops', 'old'), 'ops'],
  ['a second password of the same user, as $2y$', basic('ops', 'new'), 'ops'],
  ['a password as $2a$', basic('a', 'pa'), 'a'],
  ['a password as scrypt, with a colon and letters outside ASCII', basic('s', 'a:b ü'), 's'],
  ['of a long password, what bcrypt looks at', basic('long', 'x'.repeat(80)), 'long'],
  ['a wrong password', basic('ops', 'other'), 'wrong'],
  ['a wrong password for scrypt', basic('s', 'a:b u'), 'wrong'],
  ['the password of another user', basic('a', 'old'), 'wrong'],
  ['a name that nobody has', basic('nobody', 'old'), 'wrong'],
  ['a name of Object.prototype', basic('constructor', 'old'), 'wrong'],
  ['a user name alone', `Basic ${Buffer.from('ops').toString('base64')}`, 'wrong'],
  ['a token as a password', basic('grafana', 'first'), 'wrong'],
];

for (const [title, header, expected] of CREDENTIALS) {
  test(`credentials: ${title}`, async t => {
    // Twice: what was found right is then known without another check.
    for (let time = 0; time < 2; time++) {
      const verdict = await table.check(header);
      t.is(typeof verdict === 'string' ? verdict : verdict.name, expected);
    }
  });
}

test('each entry of a name has rights of its own', async t => {
  t.deepEqual(await table.check(basic('ops', 'old')), {name: 'ops', rights: ['read']});
  t.deepEqual(await table.check(basic('ops', 'new')), {name: 'ops', rights: ['admin']});
});

test('a password that was right is known at once, until its entry is gone', async t => {
  const own = new Passwords();
  t.teardown(() => own.stop());
  const entry = user('u', bcrypt('p'));
  const first = new AccessTable({tokens: [], users: [entry]}, own);
  t.true(first.check(basic('u', 'p')) instanceof Promise);
  await first.check(basic('u', 'p'));
  t.false(first.check(basic('u', 'p')) instanceof Promise);
  t.true(first.check(basic('u', 'q')) instanceof Promise);
  const reloaded = new AccessTable({tokens: [], users: [entry]}, own);
  t.false(reloaded.check(basic('u', 'p')) instanceof Promise);
  const changed = new AccessTable({tokens: [], users: [user('u', bcrypt('p2'))]}, own);
  t.is(await changed.check(basic('u', 'p')), 'wrong');
});

test('where nobody has a password, none is right', async t => {
  t.is(await new AccessTable({tokens, users: []}, passwords).check(basic('u', 'p')), 'wrong');
});

test('the same question at the same time is one, and of others so many wait and no more', async t => {
  const own = new Passwords();
  t.teardown(() => own.stop());
  const guarded = new AccessTable({tokens: [], users: [user('u', hashSync('p', 8))]}, own);
  const same = Array.from({length: 200}, () => guarded.check(basic('u', 'p')));
  const others = Array.from({length: 100}, (_, index) => guarded.check(basic('u', `wrong ${index}`)));
  const settled = await Promise.allSettled(others);
  const codes = settled.flatMap(each => (each.status === 'rejected' ? [each.reason.code as string] : []));
  t.deepEqual(new Set(codes), new Set(['overloaded']));
  t.is(codes.length, 100 - 63);
  for (const verdict of await Promise.all(same)) t.like(verdict, {name: 'u'});
});

test('the thread that serves goes on while a password is checked', async t => {
  const own = new Passwords();
  t.teardown(() => own.stop());
  const guarded = new AccessTable({tokens: [], users: [user('u', hashSync('p', 8))]}, own);
  let turns = 0;
  let done = false;
  const verdict = Promise.resolve(guarded.check(basic('u', 'p'))).finally(() => {
    done = true;
  });
  while (!done) {
    turns++;
    await setImmediate();
  }
  t.like(await verdict, {name: 'u'});
  t.true(turns > 10, `${turns} turns`);
});
