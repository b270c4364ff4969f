/** `stats --picked`: each id of the file is in exactly one row, and the rows add up. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { HOUR } from '../../src/base/units.ts';
import { parseCsv } from '../support/csv.ts';
import { NOW } from '../support/date.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { card, detail, measuredDetail } from '../support/samples.ts';

interface Made {
  readonly id: number;
  readonly type: string;
  readonly hours?: number;
  readonly symbol?: string;
}

/** A card whose outcome is not bought. */
function listed({ id, type, hours = 60, symbol = 'S1USDT' }: Made) {
  return card({
    id,
    created_at: formatApiTime(NOW - hours * HOUR),
    source_symbol: symbol,
    source_bot_type: type,
  });
}

/** A bought card. @param state of the outcome at both horizons @param place a number at the trigger */
function bought(made: Made, state = 'available', place = 0) {
  const isBtc = made.symbol === 'BTCUSDT';
  const move = state === 'available' ? Number(!isBtc) : null;
  const outcomeOf = () => ({ state, move, btc: 0 });
  return { ...measuredDetail(listed(made), outcomeOf), entry_context: { place } };
}

/** Cards of a type of its own; those with an odd id are picked. The row is the one of `stats` without other options. */
interface Kind {
  readonly row: string;
  readonly cardsOf: (id: number, type: string) => readonly object[];
}

// A new kind of id gets an entry here.
const KINDS: Readonly<Record<string, Kind>> = {
  'measured, beside a measured card': {
    row: 'compared',
    cardsOf: (id, type) => [bought({ id, type }), bought({ id: id + 1, type })],
  },
  'measured, above the bound of --where': {
    row: 'compared',
    cardsOf: (id, type) => [bought({ id, type }, 'available', 9), bought({ id: id + 1, type })],
  },
  'not bought, beside a measured card': {
    row: 'not_bought',
    cardsOf: (id, type) => [listed({ id, type }), bought({ id: id + 1, type })],
  },
  'not bought, beside a card that is not bought either': {
    row: 'not_bought',
    cardsOf: (id, type) => [listed({ id, type }), listed({ id: id + 1, type })],
  },
  'measured, beside a card that is not bought': {
    row: 'not_bought',
    cardsOf: (id, type) => [bought({ id, type }), listed({ id: id + 1, type })],
  },
  'bought too early, beside a measured card': {
    row: 'not_bought',
    cardsOf: (id, type) => [bought({ id, type }, 'pending'), bought({ id: id + 1, type })],
  },
  'bought, and without an outcome': {
    row: 'not_bought',
    cardsOf: (id, type) => [
      detail({ ...listed({ id, type }), outcome: null }),
      bought({ id: id + 1, type }),
    ],
  },
  'younger than 24 hours': {
    row: 'not_due',
    cardsOf: (id, type) => [listed({ id, type, hours: 3 }), listed({ id: id + 1, type, hours: 3 })],
  },
  'younger than 24 hours, and bought': {
    row: 'not_due',
    cardsOf: (id, type) => [bought({ id, type, hours: 3 }, 'pending')],
  },
  'measured, and the only card of its day': {
    row: 'no_match',
    cardsOf: (id, type) => [bought({ id, type })],
  },
  'not bought, and the only card of its day': {
    row: 'no_match',
    cardsOf: (id, type) => [listed({ id, type })],
  },
  'not bought, beside a card of another day': {
    row: 'no_match',
    cardsOf: (id, type) => [listed({ id, type }), bought({ id: id + 1, type, hours: 90 })],
  },
  'measured, beside another pick alone': {
    row: 'no_match',
    cardsOf: (id, type) => [bought({ id, type }), bought({ id: id + 2, type })],
  },
  'not bought, beside a card whose outcome is missing': {
    row: 'no_match',
    cardsOf: (id, type) => [listed({ id, type }), bought({ id: id + 1, type }, 'missing')],
  },
  'missing, beside a measured card': {
    row: 'no_figure',
    cardsOf: (id, type) => [bought({ id, type }, 'missing'), bought({ id: id + 1, type })],
  },
  'given up by exports': {
    row: 'no_figure',
    cardsOf: (id, type) => [listed({ id, type }), bought({ id: id + 1, type })],
  },
  'of BTC itself, measured': {
    row: 'no_figure',
    cardsOf: (id, type) => [bought({ id, type, symbol: 'BTCUSDT' }), bought({ id: id + 1, type })],
  },
  'of BTC itself, not bought': {
    row: 'no_figure',
    cardsOf: (id, type) => [listed({ id, type, symbol: 'BTCUSDT' }), bought({ id: id + 1, type })],
  },
  'not in the history': { row: 'unknown', cardsOf: () => [] },
};

/** Each kind's picked ids, and all cards. */
function historyOfKinds() {
  const cards: object[] = [];
  const idsOf = new Map<string, number[]>();
  for (const [place, [name, kind]] of Object.entries(KINDS).entries()) {
    const id = 101 + 10 * place;
    const made = kind.cardsOf(id, `type_${place}`) as { readonly id: number }[];
    cards.push(...made);
    const picked = made.map((one) => one.id).filter((own) => own % 2 === 1);
    idsOf.set(name, picked.length === 0 ? [id] : picked);
  }
  return { cards, idsOf };
}

function writeKinds(folder: string): ReadonlyMap<string, number[]> {
  const { cards, idsOf } = historyOfKinds();
  writeCards(folder, cards);
  const asked: Record<number, object> = {};
  const at = formatApiTime(NOW - 30 * HOUR);
  for (const id of idsOf.get('given up by exports') ?? []) asked[id] = { times: 5, at };
  const manifest = { version: 1, account: '', asked };
  writeFileSync(path.join(folder, 'export.json'), JSON.stringify(manifest));
  return idsOf;
}

/** The numbers of the page's rows by label; of the row Picks, the ids and how many are compared. */
function rowsOf(page: string) {
  const [, ids, compared] = /^Picks +(\d+) ids?, (\d+) compared$/m.exec(page) ?? [];
  const rows = [...page.matchAll(/^([A-Z][a-z]+(?: [a-z]+)?) +(\d+): /gm)];
  const uncompared = rows.map(([, label = '', number]): [string, number] => [
    label,
    Number(number),
  ]);
  return {
    ids: Number(ids),
    compared: Number(compared),
    uncompared: Object.fromEntries(uncompared),
  };
}

const sumOf = (numbers: Readonly<Record<string, number>>) =>
  Object.values(numbers).reduce((sum, number) => sum + number, 0);

it('has a row for each id of the file, by what is known of its card', async ({ home, here }) => {
  const folder = path.join(home.folder, 'kinds');
  const idsOf = writeKinds(folder);
  const words = ['stats', '--from', folder, '--picked', '-', '--json'];
  const found: Record<string, string[]> = {};
  const expected: Record<string, string[]> = {};
  for (const [name, ids] of idsOf) {
    const { stdout } = await here(words, { stdin: ids.join('\n') });
    const counts: Record<string, number> = JSON.parse(stdout).picked.counts;
    found[name] = Object.keys(counts).filter((row) => counts[row] === ids.length);
    expected[name] = [KINDS[name]?.row ?? ''];
  }
  expect(found).toEqual(expected);
});

it.for([
  { options: [] },
  { options: ['--where', 'place<5'] },
  { options: ['--since', '80h'] },
  { options: ['type_3'] },
  { options: ['--symbol', 'BTCUSDT'] },
  { options: ['--horizon', '1h'] },
  { options: ['--until', '10h'] },
])('adds up to the ids of the file, with $options', async ({ options }, { home, here }) => {
  const folder = path.join(home.folder, 'kinds');
  const ids = [...writeKinds(folder).values()].flat();
  // An id beyond 2^53, and three lines that repeat ids.
  const lines = [...ids, '9007199254740993', ids[0], ids[0], '9007199254740993'];
  const stdin = lines.join('\n');
  const words = ['stats', '--from', folder, '--picked', '-', ...options];
  const page = rowsOf((await here(words, { stdin })).stdout);
  const { picked, items } = JSON.parse((await here([...words, '--json'], { stdin })).stdout);
  const [header, all] = parseCsv((await here([...words, '--csv'], { stdin })).stdout);
  expect({
    ids: page.ids,
    ofPage: page.compared + sumOf(page.uncompared),
    ofJson: sumOf(picked.counts),
    differentIds: picked.ids,
    repeated: page.uncompared.Repeated,
  }).toEqual({
    ids: lines.length,
    ofPage: lines.length,
    ofJson: lines.length,
    differentIds: ids.length + 1,
    repeated: 3,
  });
  const labels: Readonly<Record<string, string>> = {
    not_bought: 'Not bought',
    not_due: 'Not due',
    no_match: 'No match',
    no_figure: 'No figure',
    left_out: 'Left out',
    unknown: 'Unknown',
    repeated: 'Repeated',
  };
  const { compared, ...uncompared } = picked.counts;
  const ofPage = Object.keys(uncompared).map((row) => [
    row,
    page.uncompared[labels[row] ?? ''] ?? 0,
  ]);
  expect({ compared: page.compared, ...Object.fromEntries(ofPage) }).toEqual(picked.counts);
  // The first line of a list is of all types.
  expect(items[0].counts).toEqual(picked.counts);
  const ofCsv = Object.keys(picked.counts).map((row) => {
    const place = header?.findIndex(({ text }) => text === `counts.${row}`) ?? -1;
    return [row, Number(all?.[place]?.text)];
  });
  expect(Object.fromEntries(ofCsv)).toEqual(picked.counts);
});
