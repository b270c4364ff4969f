import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What tests say of waits, months and ages must hold on every day: the machine's own date is none of their business. */
export const NOW = Date.UTC(2026, 10, 27, 18);

export const MOVED_DATE = fileURLToPath(new URL('moved-date.cjs', import.meta.url));

/** What gives a Node process the date of the tests, from `NOW` on when they begin: see moved-date.cjs. */
export interface DateOfTests {
  readonly NODE_OPTIONS: string;
  readonly SCREENER_TEST_LATER: string;
  readonly SCREENER_TEST_FILES_LATER: string;
}

export function dateOfTests(): DateOfTests {
  // A machine whose date was moved for one run may still date its files as ever.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'screener-date-'));
  const { mtimeMs } = statSync(folder);
  rmSync(folder, { recursive: true });
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require="${MOVED_DATE}"`,
    SCREENER_TEST_LATER: String(NOW - Date.now()),
    SCREENER_TEST_FILES_LATER: String(NOW - mtimeMs),
  };
}
