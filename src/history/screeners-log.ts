/**
 * `screeners.ndjson`: the answers of `/screeners` that differ from the one before, so that figures can name a change of
 * settings within their window.
 */
import { constants } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Screeners } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { openPlainFile, storing } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import { SCREENERS_FILE } from './layout.ts';
import { parseJson, readLines } from './month.ts';

/** One look at the settings. */
export interface ScreenersLook {
  /** When it was, epoch milliseconds UTC. The settings changed at some time between the look before and this one. */
  readonly at: number;
  readonly screeners: Screeners;
}

const Line = v.object({ at: v.string(), screeners: Screeners });

/** The looks that differ, oldest first; lines that are none are left out. @throws ScreenerError storage */
export async function readScreenersLog(directory: string): Promise<ScreenersLook[]> {
  return (await readLines(join(directory, SCREENERS_FILE))).flatMap((line) => {
    const { success, output } = v.safeParse(Line, parseJson(line));
    const at = success ? parseApiTime(output.at) : undefined;
    return success && at !== undefined ? [{ at, screeners: output.screeners }] : [];
  });
}

/**
 * Adds an answer where it differs from the last one. Only for whoever has the directory's lock.
 * @param now epoch milliseconds UTC
 * @returns whether it differed
 * @throws ScreenerError storage
 */
export async function appendScreeners(directory: string, answer: Screeners, now: number): Promise<boolean> {
  const last = (await readScreenersLog(directory)).at(-1);
  if (last !== undefined && canonical(last.screeners) === canonical(answer)) return false;
  const path = join(directory, SCREENERS_FILE);
  await storing(`write ${path}`, async () => {
    const file = await openPlainFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      // The newline in front keeps a line that a kill cut off from spoiling this one.
      const cutOff = (await file.stat()).size > 0 ? '\n' : '';
      await file.appendFile(`${cutOff}${jsonText({ at: formatApiTime(now), screeners: answer })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  return true;
}

/** Equal for answers that say the same: neither the order of keys nor the order of screeners is a setting. */
function canonical({ items }: Screeners): string {
  return JSON.stringify(items.map((item) => jsonText(sorted(item))).sort());
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, sorted(one)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
