/**
 * Where a watch stands: what it has shown, and from when on it has to look again. Kept so that a later watch with the
 * same filters can go on without repeating or missing a card.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { keptFile } from '../kept-file.ts';

const Position = v.object({
  /** Cards recorded before that have been seen for certain. Epoch milliseconds UTC. */
  since: v.pipe(v.number(), v.safeInteger()),
  /** Cards from then on that have been shown: id and epoch milliseconds UTC. */
  shown: v.array(v.tuple([v.pipe(v.number(), v.safeInteger()), v.number()])),
});

export type Position = v.InferOutput<typeof Position>;

/** @param about what tells one watch from another: account and filters */
export function positionFile(stateDirectory: string, about: readonly (string | undefined)[]) {
  const name = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 24);
  return keptFile(stateDirectory, `watch/${name}.json`, Position);
}
