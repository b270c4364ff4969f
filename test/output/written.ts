import type { Format } from '../../src/output/formats.ts';
import { createOutput } from '../../src/output/output.ts';
import { type TestContextOptions, testContext } from '../support/context.ts';

/** An output in memory: what it writes is `context.stdout.text`, what it notes is in `noted`. */
export function outputTo(format: Format, options: TestContextOptions = {}, fields?: readonly string[]) {
  const context = testContext(options);
  const noted: string[] = [];
  const notes = { note: (text: string) => void noted.push(text), flush: async () => {} };
  return { context, noted, output: createOutput({ context, format, fields, notes }) };
}
