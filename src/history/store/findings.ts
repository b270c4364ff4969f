/** `findings.ndjson`: the notebook. Appended at the end of a run, under its lock; never rewritten. */
import { join } from 'node:path';
import { type Finding, finding } from '../../outcomes/findings.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { FINDINGS_FILE } from './layout.ts';
import { readValues } from './lines.ts';

export const findingsPath = (directory: string) => join(directory, FINDINGS_FILE);

/** @returns oldest first; `damaged`: the numbers of lines left out @throws ScreenerError storage */
export function readFindings(directory: string) {
  return readValues(findingsPath(directory), finding);
}

/** All in one write that is synced. @throws ScreenerError storage */
export async function appendFindings(directory: string, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  await appendLine(findingsPath(directory), findings.map((one) => jsonText(one)).join('\n'));
}
