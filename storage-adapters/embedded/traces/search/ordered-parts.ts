import {inTraceOrder} from '../../../../core/api/adapter.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';
import {type JoinedBodies, joinTexts} from '../../threads/bodies.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {PlacedBody} from '../fragments/places.js';
import {joined, type UnorderedTrace} from './loader.js';

const BODIES_PER_STEP = 256;

/**
 * The spans of a large trace in the order in which it is shown, each a fragment of its own, in parts that have spans of one
 * service. A reading thread puts them in it, so that the serving thread never has more than one part as objects.
 */
export function* orderedParts(
  {bodies, placed}: UnorderedTrace,
  checkpoint: Checkpoint,
): Steps<readonly JoinedBodies[]> {
  const spans: PlacedBody[] = [];
  for (const [index, body] of bodies.entries()) {
    for (const span of placed(body)) spans.push(span);
    if (index % BODIES_PER_STEP < BODIES_PER_STEP - 1) continue;
    checkpoint();
    yield;
  }
  const parts: JoinedBodies[] = [];
  for (const ofService of inTraceOrder(spans, ({place}) => place).values()) {
    const inOrder = ofService.map(({body}) => body);
    for (const part of joined({join: joinTexts}, inOrder)) parts.push(part);
    yield;
  }
  return parts;
}
