import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { safeParse } from 'valibot';
import { describe, expect, onTestFinished, vi } from 'vitest';
import type { SignalCard } from '../../src/api/contract/resources.ts';
import { type Condition, checkWhere, WHERE } from '../../src/commands/parts/where.ts';
import { historyCardOf } from '../../src/outcomes/history-card.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import * as samples from '../support/samples.ts';

/** Cards 1 to 6, with funding from 0.0001 to 0.0006; the last two are not bought. */
function historyIn(folder: string): string {
  return writeCards(
    folder,
    Array.from({ length: 6 }, (_, i) => {
      const card = {
        ...samples.nthCard(1),
        id: i + 1,
        created_at: `2026-11-0${i + 1}T12:00:00Z`,
        fact_oi_usd: i * 1e6,
      };
      const { outcome, context_scope } = samples.nthDetail(1) as Record<string, unknown>;
      const entry_context = {
        funding: (i + 1) / 10_000,
        'odd>=name.x': i,
        signed: i % 2 === 0 ? -2 - i : i,
      };
      return i < 4 ? { ...card, outcome, entry_context, context_scope } : card;
    }),
  );
}

const ids = (text: string) => (JSON.parse(text).items as { id: number }[]).map(({ id }) => id);

describe.concurrent('--where', () => {
  it.for<[conditions: string, expected: number[]]>([
    ['entry_context.funding>=0.0002', [4, 3, 2]],
    ['entry_context.funding > 2e-4', [4, 3]],
    ['entry_context.funding<=0.0002', [2, 1]],
    ['entry_context.funding<0.0002', [1]],
    ['entry_context.funding=0.0003', [3]],
    ['fact_oi_usd>=1e6, fact_oi_usd<4e6, id>2', [4, 3]],
    ['entry_context.odd>=name.x>=2', [4, 3]],
    ['funding>=0.0002', [4, 3, 2]],
    ['|signed|>=2, funding<0.0004', [3, 1]],
    [' funding >= 0.0002 ', [4, 3, 2]],
  ])(
    '%s lists the cards of which it holds',
    async ([conditions, expected], { home, here, server }) => {
      const words = ['signals', 'ls', '--from', historyIn(home.folder), '--json'];
      const { code, stdout } = await here([
        ...words,
        ...conditions.split(', ').flatMap((condition) => ['--where', condition]),
      ]);
      expect({ code, ids: ids(stdout), requests: server.requests }).toEqual({
        code: 0,
        ids: expected,
        requests: [],
      });
    },
  );

  it('a field of cards is read by its name alone, a number of that name at the trigger by its prefix', async ({
    home,
    here,
  }) => {
    const entry_context = { fact_oi_usd: 5, fact_funding: 5 };
    const { fact_funding: _, ...card } = samples.nthDetail(1);
    const dir = writeCards(home.folder, [{ ...card, fact_oi_usd: null, entry_context }]);
    const line = ['--from', dir, '--json', '--where'];
    const listed = async (condition: string) =>
      ids((await here(['signals', 'ls', ...line, condition])).stdout).length;
    expect({
      isNull: await listed('fact_oi_usd=5'),
      isMissing: await listed('fact_funding=5'),
      isNamed: await listed('entry_context.fact_funding=5'),
    }).toEqual({ isNull: 0, isMissing: 0, isNamed: 1 });
    const refused = await here(['stats', ...line, 'fact_oi_usd=5']);
    const other = await here(['stats', ...line, 'fact_volume_usd=5']);
    const strange = await here(['signals', 'ls', ...line, 'entry_context.fact_volume_usd=5']);
    expect({
      named: errorLine(refused.stderr).hint,
      other: errorLine(other.stderr).hint,
      strange: errorLine(strange.stderr).message,
    }).toEqual({
      named: expect.stringContaining("--where 'entry_context.fact_oi_usd=5'"),
      other: expect.not.stringContaining('entry_context.'),
      strange: expect.stringContaining(
        "no card of this history has 'entry_context.fact_volume_usd'",
      ),
    });
  });

  it.for<[line: string[], message: RegExp]>([
    [
      ['signals', 'ls', '--local', '--where', 'created_at>=1'],
      /'created_at' of a card is no number/,
    ],
    [['signals', 'ls', '--local', '--where', 'fact_oi_usd'], /takes FIELD>=NUMBER/],
    [['signals', 'ls', '--local', '--where', 'id>=1.2.3'], /takes FIELD>=NUMBER/],
    [['signals', 'ls', '--where', 'id>=1'], /--where needs --local or --from/],
    [['stats', '--where', 'entry_context.funding>=1'], /--where needs --local or --from/],
    [
      ['stats', '--local', '--where', 'fact_oi_usd>=1'],
      /latest update of a card, not of its trigger/,
    ],
    [
      ['stats', '--local', '--picked', 'nowhere.json', '--where', 'outcome.move_1h_pct>0'],
      /no number known at the trigger/,
    ],
    [['report', '-', '--where', 'repeat_count=0'], /no number known at the trigger/],
    [['report', '-', '--where', 'outcome.move_1h_pct>0'], /no number known at the trigger/],
  ])('%s is refused before anything is read', async ([line, message], { here, server }) => {
    const { code, stdout, stderr } = await here([...line, '--json']);
    const { message: sentence, hint } = errorLine(stderr);
    expect({ code, stdout, said: `${sentence} ${hint}`, requests: server.requests }).toEqual({
      code: 2,
      stdout: '',
      said: expect.stringMatching(message),
      requests: [],
    });
  });

  it('of any number leave no line to copy, and no word of an option stands behind that', async ({
    home,
    here,
  }) => {
    const where = Array.from({ length: 400 }, () => ['--where', 'entry_context.funding>=0']).flat();
    for (const words of ['stats', 'stats --by symbol', 'stats --by type']) {
      const line = [...words.split(' '), '--from', historyIn(home.folder), ...where];
      const { stdout } = await here(line);
      expect(stdout, words).not.toMatch(/take it from --json\) /);
      if (words === 'stats') expect(stdout).toContain('(no line to copy: ');
    }
  });

  it('says that no card has a number of that name', async ({ home, here }) => {
    const words = ['signals', 'ls', '--from', historyIn(home.folder), '--json', '--where'];
    const slips = {
      'entry_context.fundng': 'funding',
      fundng: 'funding',
      fact_oi_us: 'fact_oi_usd',
    };
    for (const [name, meant] of Object.entries(slips)) {
      const slip = await here([...words, `${name}>0`]);
      const message = `--where: no card of this history has '${name}'. Did you mean '${meant}'? It has: funding, odd>=name.x, signed.`;
      expect({ name, code: slip.code, message: errorLine(slip.stderr).message }).toEqual({
        name,
        code: 2,
        message,
      });
    }
    const names = 'It has: funding, odd>=name.x, signed.';
    // Earlier versions counted `nth_of_day` themselves; only numbers of the service's are left.
    for (const line of [
      [...words, 'entry_context.nothing>0'],
      ['stats', ...words.slice(2), 'nothing>0'],
      ['stats', '--by', 'type', ...words.slice(2), 'nth_of_day<=1'],
      ['tune', ...words.slice(2), 'nothing>0'],
      ['report', '-', ...words.slice(2, 4), '--where', 'nothing>0'],
    ]) {
      const strange = await here(line);
      const { message } =
        JSON.parse(/^\{"error".*$/m.exec(strange.stderr)?.[0] ?? '{}').error ?? {};
      const said = message ?? strange.stderr;
      expect({ line, code: strange.code, stdout: strange.stdout, said }).toEqual({
        line,
        code: 2,
        stdout: '',
        said: expect.stringMatching(`--where: no card of this history has '.*'\\. ${names}`),
      });
    }
  });

  it('says no more than that if no card is bought: then nobody knows which numbers there are', async ({
    home,
    here,
  }) => {
    const dir = writeCards(home.folder, samples.cards(3));
    const { code, stderr } = await here(['signals', 'ls', '--from', dir, '--where', 'nothing>0']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("--where: no card of this history has 'nothing'."),
    });
  });

  it('says no more than that if no card of a type is bought yet: its cards may have other numbers', async ({
    home,
    here,
  }) => {
    const bought = { ...samples.nthDetail(1), source_bot_type: 'oi_growth' };
    const listed = { ...samples.nthCard(2), source_bot_type: 'rare' };
    const dir = writeCards(home.folder, [bought, listed]);
    const line = ['signals', 'ls', '--from', dir];
    const names = Object.keys(samples.nthDetail(1).entry_context ?? {}).sort();
    const text = `--where: no card of this history has 'nothing'. It has: ${names.join(', ')}.`;
    const anyType = await here([...line, '--where', 'nothing>0']);
    expect({ code: anyType.code, stderr: anyType.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(text),
    });
    const sorted = await here([...line, '--sort', 'entry_context.nothing']);
    expect(sorted.code, sorted.stderr).toBe(0);
    const boughtType = await here([...line, '--type', 'oi_growth', '--where', 'nothing>0']);
    expect({ code: boughtType.code, stderr: boughtType.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(text),
    });
  });

  it.for(['--where funding>1', '--where funding>1 --symbol ETHUSDT', '--until 2020-01-01'])(
    '%s explains no empty list: the history has each name',
    async (options, { home, here, server }) => {
      const words = ['signals', 'ls', '--from', historyIn(home.folder), '--json'];
      const { code, stdout, stderr } = await here([...words, ...options.split(' ')]);
      expect({ code, ids: ids(stdout), stderr, requests: server.requests }).toEqual({
        code: 0,
        ids: [],
        stderr: '',
        requests: [],
      });
    },
  );

  it('chooses the cards of figures, and says what that is not', async ({ home, here }) => {
    const dir = historyIn(home.folder);
    const { stdout, stderr } = await here([
      'stats',
      '--from',
      dir,
      '--json',
      '--where',
      'funding>0.0002',
    ]);
    expect({ rows: JSON.parse(stdout).rows, stderr }).toEqual({
      rows: 2,
      stderr: expect.stringContaining('tried by hand'),
    });
    // The price at the trigger was known then.
    const priced = async (limit: string) =>
      JSON.parse(
        (await here(['stats', '--from', dir, '--json', '--where', `outcome.entry_price${limit}`]))
          .stdout,
      ).rows;
    expect({ any: await priced('>0'), dear: await priced('>1e9') }).toEqual({ any: 4, dear: 0 });
  });
});

describe('--sort', () => {
  it('reads each month file once', async ({ home, here }) => {
    const months = vi.spyOn(fs, 'openSync');
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const directory = historyIn(home.folder);
    const sort = ['--sort', 'entry_context.funding'];
    const { code, stdout } = await here(['signals', 'ls', '--from', directory, '--json', ...sort]);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: [4, 3, 2, 1, 6, 5] });
    const opened = months.mock.calls.map(([path]) => String(path));
    expect(opened.filter((path) => /signals-.*\.ndjson$/.test(path))).toHaveLength(1);
  });

  it('by a number at the trigger that no card has is refused, and names those that there are', async ({
    home,
    here,
  }) => {
    const sorted = (field: string) =>
      here(['signals', 'ls', '--from', historyIn(home.folder), '--ndjson', '--sort', field]);
    for (const [field, guess] of [
      ['entry_context.nothing', ''],
      ['-entry_context.fundng', " Did you mean 'funding'?"],
    ]) {
      const { code, stdout, stderr } = await sorted(String(field));
      const name = field?.replace('-', '');
      expect({ code, stdout, message: errorLine(stderr).message }).toEqual({
        code: 2,
        stdout: '',
        message: `--sort: no card of this history has '${name}'.${guess} It has: funding, odd>=name.x, signed.`,
      });
    }
    expect((await sorted('entry_context.signed')).code).toBe(0);
    const unbought = writeCards(home.folder, samples.cards(3));
    const line = ['signals', 'ls', '--from', unbought, '--sort', 'entry_context.nothing'];
    expect((await here(line)).code, 'if no card is bought').toBe(0);
  });
});

/** Whether each field of a card was known at its trigger. Figures of cards that are chosen by another would mislead. */
const KNOWN_AT_TRIGGER: Readonly<Record<keyof typeof SignalCard.entries, boolean>> = {
  id: false,
  source_symbol: false,
  source_bot_type: false,
  exchanges: false,
  changes: false,
  created_at: false,
  last_seen_at: false,
  repeat_count: false,
  url: false,
  url_scope: false,
  facts_scope: false,
  fact_price_pct: false,
  fact_oi_pct: false,
  fact_volume_pct: false,
  fact_window_min: false,
  fact_funding: false,
  fact_oi_usd: false,
  fact_volume_usd: false,
};

it.for(Object.entries(KNOWN_AT_TRIGGER))(
  'figures are of cards chosen by %s only if it was known at the trigger',
  async ([field, isKnown]) => {
    const condition = safeParse(WHERE.schema, `${field}>=1`).output as Condition;
    const isTaken = await checkWhere([condition], async () => new Set()).then(
      () => true,
      () => false,
    );
    const card = { ...samples.nthDetail(1), id: 1, entry_context: {}, [field]: 1 };
    const isMet = condition.isMetAtTrigger(historyCardOf(card, 0));
    expect({ field, isTaken, isMet }).toEqual({ field, isTaken: isKnown, isMet: isKnown });
  },
);
