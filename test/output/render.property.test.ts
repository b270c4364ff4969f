import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import {
  Access,
  MarketSnapshot,
  ScreenerItem,
  SignalCard,
  SignalDetail,
  SignalStats,
} from '../../src/api/contract/resources.ts';
import { createOutput } from '../../src/output/output.ts';
import { flatten } from '../../src/output/paths.ts';
import type { PlainObject } from '../../src/output/plain.ts';
import { safeText } from '../../src/output/safe-text.ts';
import type { Format, View } from '../../src/output/types.ts';
import { accessView } from '../../src/output/views/access.ts';
import { cardOutcomeView, cardView } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { screenersView } from '../../src/output/views/screeners.ts';
import { snapshotView } from '../../src/output/views/snapshot.ts';
import { statsView } from '../../src/output/views/stats.ts';
import { resource } from '../support/arbitrary.ts';
import { testContext } from '../support/context.ts';
import { type CsvCell, parseCsv, textOf } from '../support/csv.ts';
import { pagesOf } from '../support/lists.ts';

/** Small by default; FUZZ_RUNS asks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 40);

type Any = View<PlainObject>;

const CASES: [string, Any, fc.Arbitrary<PlainObject>][] = [
  ['access', accessView() as unknown as Any, resource(Access)],
  ['snapshot', snapshotView as unknown as Any, resource(MarketSnapshot)],
  ['screeners', screenersView as unknown as Any, resource(ScreenerItem)],
  ['card', cardView as unknown as Any, resource(SignalCard)],
  ['card with outcome', cardOutcomeView as unknown as Any, resource(SignalDetail)],
  ['detail', detailView as unknown as Any, resource(SignalDetail)],
  ['stats', statsView as unknown as Any, resource(SignalStats)],
];

async function written(view: Any, items: PlainObject[], format: Format, width?: number): Promise<string> {
  const context = testContext({ env: { NO_COLOR: '1' }, ...(width === undefined ? {} : { width }) });
  const output = createOutput({ context, format, fields: undefined, notes: { note: () => {}, flush: async () => {} } });
  if (view.page !== undefined && items[0] !== undefined) await output.one(view, items[0]);
  else await output.list(view, pagesOf([items], { head: null }));
  return context.stdout.text;
}

const DANGEROUS = /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(CASES)('%s', (_, view, arbitrary) => {
  it('fits every width from 60 to 200 and leaves nothing a terminal acts on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitrary, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 60, max: 200 }),
        async (items, width) => {
          const text = await written(view, items, 'table', width);
          expect(text).not.toMatch(DANGEROUS);
          // Addresses are never broken, so that they can be copied.
          const whole = items.flatMap(({ url, source }) => [safeText(url), safeText(source)]);
          for (const line of text.split('\n')) {
            if (!whole.includes(line)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
          }
        },
      ),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('is one line a row, whole and plain, in a pipe', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 4 }), async (items) => {
        const text = await written(view, items, 'table');
        expect(text).not.toMatch(DANGEROUS);
        expect(text).not.toContain('…');
        if (view.page === undefined) {
          const table = text.split('\n\n')[0] ?? '';
          expect(table.trimEnd().split('\n')).toHaveLength(items.length + 1);
        }
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('is the same value after parsing JSON and NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 4 }), async (items) => {
        const shown = view.page === undefined ? asJson(items) : asJson(items[0]);
        const document = await written(view, items, 'json');
        const lines = await written(view, items, 'ndjson');
        expect(JSON.parse(document)).toEqual(shown);
        expect(
          lines
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual([shown].flat());
        for (const text of [document, lines]) {
          expect(text.endsWith('\n')).toBe(true);
          expect(text).not.toMatch(DANGEROUS);
        }
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('is the same value after parsing CSV', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 4 }), async (items) => {
        const shown = view.page === undefined ? items : items.slice(0, 1);
        const [header = [], ...rows] = parseCsv(await written(view, items, 'csv'));
        const names = header.map((cell) => textOf(cell.text));
        expect(new Set(names).size).toBe(names.length);
        expect(rows).toHaveLength(shown.length);
        const objects = view.fields.filter((field) => field.kind === 'object').map((field) => field.name);
        shown.forEach((item, i) => {
          const leaves = flatten(asJson(item));
          for (const name of objects) leaves.delete(name);
          names.forEach((name, column) => {
            expect(readBack(rows[i]?.[column], leaves.get(name))).toEqual(leaves.get(name) ?? null);
            leaves.delete(name);
          });
          expect([...leaves.keys()]).toEqual([]);
        });
      }),
      { numRuns: RUNS },
    );
  }, 600_000);
});

/** What a reader makes of a cell that is known to hold a value of the kind of `like`. */
function readBack(cell: CsvCell | undefined, like: unknown): unknown {
  if (cell === undefined) throw new Error('a row has fewer cells than the header');
  if (cell.text === '' && !cell.quoted) return null;
  return typeof like === 'string' ? textOf(cell.text) : JSON.parse(cell.text);
}
