/** Python as a reader of what is written. DuckDB and Prism: `npm run judges`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Json, validResource } from '../support/arbitrary.ts';
import { it } from '../support/fixtures.ts';
import { ok } from '../support/server.ts';

/** Whether a reader is missing; never in CI. */
function isMissing(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return false;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    process.stderr.write(`Skipped: ${command} as a reader, as it is not here.\n`);
    return true;
  }
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** Half a surrogate pair is in no file: these readers take it for a replacement character. */
const whole = (value: unknown) => !/\\ud[89a-f]/i.test(JSON.stringify(value));
const drawn = fc.sample(validResource('SignalCard').filter(whole), { seed, numRuns: 25 });
// A card that stands twice in a list is printed once.
const cards = drawn.map((card, id) => ({ ...card, id: id + 1 })) as { [key: string]: Json }[];
const page = {
  scope: 'own_recorded_notifications',
  items: cards,
  next_cursor: null,
  since: '2026-11-01T00:00:00Z',
  until: '2026-11-20T00:00:00Z',
};
/** JSON knows no -0. */
const expected = JSON.parse(JSON.stringify(cards)) as { [key: string]: Json }[];

describe(`what is written (seed ${seed})`, () => {
  it.skipIf(isMissing('python3', '--version'))(
    "is read by Python's json and csv",
    async ({ server, screener, home }) => {
      server.always('/signals', ok(page));
      for (const format of ['json', 'ndjson', 'csv']) {
        writeFileSync(path.join(home.folder, format), (await screener(['signals', 'ls', '-o', format])).stdout);
      }
      const script = `
import csv, json, re, sys
folder = sys.argv[1]
document = json.load(open(folder + '/json', encoding='utf-8'))
lines = [json.loads(line) for line in open(folder + '/ndjson', encoding='utf-8', newline='\\n')]
rows = list(csv.DictReader(open(folder + '/csv', encoding='utf-8', newline=''), strict=True))
back = lambda cell: re.sub(r'\\\\u([0-9a-fA-F]{4})', lambda m: chr(int(m[1], 16)), re.sub(r"^'(?=['\\s]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]|'*[\\t\\r])", '', cell))
print(json.dumps({
  'document': document['items'], 'lines': lines, 'symbols': [back(row['source_symbol']).encode('utf-16', 'surrogatepass').decode('utf-16') for row in rows],
  'prices': [None if row['fact_price_pct'] == '' else float(row['fact_price_pct']) for row in rows], 'ids': [int(row['id']) for row in rows]}))`;
      const read = JSON.parse(
        execFileSync('python3', ['-c', script, home.folder], { encoding: 'utf8', maxBuffer: 1 << 26 }),
      );
      expect(read.document).toEqual(expected);
      expect(read.lines).toEqual(expected);
      expect(read.ids).toEqual(expected.map(({ id }) => id));
      expect(read.symbols).toEqual(expected.map(({ source_symbol }) => source_symbol));
      expect(read.prices).toEqual(expected.map(({ fact_price_pct }) => fact_price_pct));
    },
  );
});
