import test from 'ava';
import fc from 'fast-check';
import {EMPTY_FORM, formOf, withForm} from '../../../../plugins/console/web/traces/conditions.js';

test('what the form writes, it reads again, and keeps the conditions that it does not know', t => {
  const form = fc.record({
    service: fc.string({unit: 'binary'}),
    name: fc.string({unit: 'binary'}),
    minimum: fc.constantFrom('', '5ms', '1.5s'),
    isFailed: fc.boolean(),
  });
  fc.assert(
    fc.property(form, form, (first, second) => {
      t.deepEqual(formOf(withForm('', first)), first);
      const more = withForm('{span.a="&& }" && duration<1s}', first);
      t.deepEqual(formOf(more), first);
      const changed = withForm(more, second);
      t.deepEqual(formOf(changed), second);
      t.true(changed.endsWith('span.a="&& }" && duration<1s}'));
    }),
  );
});

for (const [text, expected] of [
  ['', EMPTY_FORM],
  ['{}', EMPTY_FORM],
  ['{ status = error&&name="x" }', {...EMPTY_FORM, isFailed: true, name: 'x'}],
  ['{resource.service.name="a\\"b"}', {...EMPTY_FORM, service: 'a"b'}],
  ['{status=ok}', EMPTY_FORM],
  ['{a="b" || c="d"}', undefined],
  ['{a="b"} | count() > 2', undefined],
  ['nonsense', undefined],
] as const) {
  test(`the form shows of ${text || 'nothing'}: ${JSON.stringify(expected)}`, t => {
    t.deepEqual(formOf(text), expected);
  });
}
