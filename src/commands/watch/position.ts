/**
 * Where a watch stands: what it has shown, and from when on it has to look again. Kept in the state directory, so that
 * a later watch with the same filters can go on without repeating or missing a card.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { makeDirectory, replaceFile } from '../../runtime/files.ts';
import { readSmallFile } from '../../runtime/small-file.ts';

const Position = v.object({
  /** Cards recorded before that have been seen for certain. Epoch milliseconds UTC. */
  since: v.pipe(v.number(), v.safeInteger()),
  /** Cards from then on that have been shown: id and epoch milliseconds UTC. */
  shown: v.array(v.tuple([v.pipe(v.number(), v.safeInteger()), v.number()])),
});

export type Position = v.InferOutput<typeof Position>;

const MOST_BYTES = 64 << 20;

export class PositionFile {
  readonly #file: string;

  /** @param about what tells one watch from another: account and filters */
  constructor(directory: string, about: readonly (string | undefined)[]) {
    const name = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 24);
    this.#file = join(directory, 'watch', `${name}.json`);
  }

  /** @returns undefined where there is none, or an unreadable one */
  read(): Position | undefined {
    try {
      const checked = v.safeParse(Position, JSON.parse(readSmallFile(this.#file, MOST_BYTES)));
      return checked.success ? checked.output : undefined;
    } catch {
      return undefined;
    }
  }

  /** @returns whether it could be saved: a watch goes on without */
  async write(position: Position): Promise<boolean> {
    return makeDirectory(dirname(this.#file))
      .then(() => replaceFile(this.#file, JSON.stringify(position)))
      .then(
        () => true,
        () => false,
      );
  }
}
