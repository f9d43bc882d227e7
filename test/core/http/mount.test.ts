import test from 'ava';
import type {Route} from '../../../core/api/http.js';
import {collectRoutes} from '../../../core/http/mount.js';
import {renderPlainError} from '../../../core/http/render-error.js';

const reply = () => ({status: 200, body: ''});

for (const [title, first, second, fails] of [
  ['the same path and method', {methods: ['GET'], path: '/a'}, {methods: ['POST', 'GET'], path: '/a'}, true],
  ['parts of other names', {methods: ['GET'], path: '/a/:b'}, {methods: ['GET'], path: '/a/:c'}, true],
  ['another method', {methods: ['GET'], path: '/a'}, {methods: ['POST'], path: '/a'}, false],
  ['another path', {methods: ['GET'], path: '/a'}, {methods: ['GET'], path: '/b'}, false],
] as const satisfies readonly (readonly [string, Route, Route, boolean])[]) {
  test(`a second route with ${title} is ${fails ? 'an error that names the plugin' : 'fine'}`, t => {
    const collect = () =>
      collectRoutes({
        id: 'fixture',
        prefix: '/x',
        renderError: renderPlainError,
        routes: routes => {
          for (const route of [first, second]) routes.add(route, reply);
        },
      });
    if (fails) t.throws(collect, {message: `the plugin fixture adds the route ${second.path} twice`});
    else t.is(collect().length, 2);
  });
}

test('a route that asks for a right that there is not is an error that names the plugin', t => {
  const collect = (right: string) =>
    collectRoutes({
      id: 'fixture',
      prefix: '/x',
      renderError: renderPlainError,
      routes: routes => routes.add({methods: ['GET'], path: '/a', right: right as 'read'}, reply),
    });
  t.throws(() => collect('raed'), {
    message:
      'the plugin fixture adds the route /a with the right "raed", expected "read", "write", "admin", "agent" or "open"',
  });
  t.is(collect('open').length, 1);
});
