import type { Context } from '../../runtime/context.ts';
import { jsonText } from '../../runtime/json-text.ts';
import type { Exporter } from '../exporter.ts';
import { project } from '../fields.ts';
import type { PlainObject } from '../paths.ts';
import { escapeJson } from '../safe-text.ts';
import type { List } from '../types.ts';

/** One compact line an item, each batch as it arrives. */
export const ndjson: Exporter = {
  one: (_, value, { context, fields }) => context.stdout.write(jsonLine(value, fields)),
  list: (_, { batches }, { context, fields }) => writeLines(batches, (item) => jsonLine(item, fields), context),
};

function jsonLine(value: object, fields: readonly string[] | undefined): string {
  return `${escapeJson(jsonText(project(value as PlainObject, fields)))}\n`;
}

/**
 * Long enough for a reader like `head -1` to leave after the line it wanted, on a busy machine too: most that leave do so
 * after the first page. Later pauses are too short to be noticed. No pause is sure: nobody says whether a pipe was read.
 */
const FIRST_PAUSE_MILLIS = 100;
const PAUSE_MILLIS = 25;

/**
 * A pipe tells that its reader is gone only when something is written to it. After the first page `head -1` has its
 * line and leaves, but by then the whole page is in the pipe and nothing would be written before the next page is
 * bought. So the last line of a page is held back for a moment: writing it is how we find out, and `OutputClosed`
 * stops the paging before the next credit is spent. It goes out even when the pause is interrupted.
 */
async function writeLines<T>(
  batches: List<T>['batches'],
  lineOf: (item: T) => string,
  { clock, signal, stdout }: Pick<Context, 'clock' | 'signal' | 'stdout'>,
): Promise<void> {
  let pause = FIRST_PAUSE_MILLIS;
  for await (const { items, more } of batches) {
    if (items.length === 0) continue;
    const lines = items.map(lineOf);
    const held = more && !stdout.isTTY ? lines.pop() : undefined;
    if (lines.length > 0) await stdout.write(lines.join(''));
    if (held === undefined) continue;
    try {
      if (lines.length > 0) await clock.sleep(pause, signal);
      pause = PAUSE_MILLIS;
    } finally {
      await stdout.write(held);
    }
  }
}
