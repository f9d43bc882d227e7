import test from 'ava';
import type {Readers} from '../../../core/api/capabilities.js';
import {capabilitiesOf, negotiate} from '../../../core/host/negotiate.js';

const reader = {} as never;
const supplied: Readers = {
  'ingest.metrics.v1': reader,
  'metrics.query.v1': reader,
  'metadata.query.v1': undefined as never,
};

test('a plugin gets what it asks for and nothing else', t => {
  const {readers, missing} = negotiate({requires: ['metrics.query.v1']}, supplied);
  t.deepEqual(missing, []);
  t.deepEqual(Object.keys(readers), ['metrics.query.v1']);
});

test('a capability without a reader is missing, in the order of the wish', t => {
  const {missing} = negotiate({requires: ['metadata.query.v1', 'metrics.query.v1']}, supplied);
  t.deepEqual(missing, ['metadata.query.v1']);
  t.deepEqual(negotiate({requires: ['metrics.query.v1', 'metadata.query.v1']}, {}).missing, [
    'metrics.query.v1',
    'metadata.query.v1',
  ]);
});

test('an optional capability that is missing is a key without a reader', t => {
  const {readers, missing} = negotiate({requires: [], optional: ['metadata.query.v1', 'ingest.metrics.v1']}, supplied);
  t.deepEqual(missing, []);
  t.deepEqual(readers, {'metadata.query.v1': undefined as never, 'ingest.metrics.v1': reader});
});

test('the capabilities of a storage come in the order of their documentation', t => {
  t.deepEqual(capabilitiesOf(supplied), ['metrics.query.v1', 'ingest.metrics.v1']);
});
