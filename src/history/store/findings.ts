/** `findings.ndjson`: the notebook. Appended at the end of a run, under its lock; never rewritten. */
import { join } from 'node:path';
import * as v from 'valibot';
import { type Finding, finding } from '../../outcomes/findings.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { FINDINGS_FILE } from './layout.ts';
import { parseJson, readLines } from './lines.ts';

export const findingsPath = (directory: string) => join(directory, FINDINGS_FILE);

/** @returns `findings` oldest first; `damaged`: the numbers of lines left out @throws ScreenerError storage */
export async function readFindings(directory: string) {
  const findings: Finding[] = [];
  const damaged: number[] = [];
  for (const [index, line] of (await readLines(findingsPath(directory))).entries()) {
    const { success, output } = v.safeParse(finding, parseJson(line, JSON.parse));
    if (success) findings.push(output);
    else damaged.push(index + 1);
  }
  return { findings, damaged };
}

/** All in one write that is synced. @throws ScreenerError storage */
export async function appendFindings(directory: string, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  await appendLine(findingsPath(directory), findings.map((one) => jsonText(one)).join('\n'));
}
