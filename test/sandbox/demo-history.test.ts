import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DAY } from '../../src/base/units.ts';
import { readFindings, readScreenersLog, readStatsLog } from '../../src/history/store/answers.ts';
import { type ExportManifest, loadManifest } from '../../src/history/store/manifest.ts';
import {
  periodsInUseByType,
  presentSettingsSince,
} from '../../src/history/store/settings-periods.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import { historyCardOf } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { jsonText } from '../../src/runtime/json-text.ts';
import { demoHistory } from '../../src/sandbox/demo-history.ts';
import { demoWorld } from '../../src/sandbox/market/market-world.ts';
import { TestClock } from '../support/context.ts';
import { parseLines, it as run } from '../support/fixtures.ts';
import { bench, START } from './support.ts';

const NOTEBOOK = fileURLToPath(new URL('../../src/sandbox/demo-findings.ts', import.meta.url));
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const iso = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();

/** The module of the notebook, of the day that `START` lies on. */
function notebookOf(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => `  '${jsonText(finding)}',\n`).join('');
  return `/** What the demo's exports found, a line each, as of DEMO_DAY. Made by \`npm run demo\`. */\nexport const DEMO_FINDINGS: readonly string[] = [\n${lines}];\n`;
}

function textOf(directory: string): string {
  const names = readdirSync(directory).filter((name) => name.startsWith('signals-'));
  return names.map((name) => readFileSync(path.join(directory, name), 'utf8')).join('');
}

describe('the history of the demo', () => {
  const atEnd: (() => Promise<void>)[] = [];
  let directory: string;
  let rows: SignalDetail[];
  let manifest: ExportManifest | undefined;
  let lastRun: number;
  const service = bench({ world: demoWorld(START) });
  beforeAll(async () => {
    directory = await demoHistory(START, atEnd);
    manifest = await loadManifest(directory);
    lastRun = Date.parse(manifest?.last_run?.finished_at ?? '');
    rows = parseLines(textOf(directory));
  });
  afterAll(async () => {
    for (const remove of atEnd) await remove();
    expect(existsSync(directory), 'the folder is there').toBe(false);
  });

  const age = ({ created_at }: SignalDetail): number => (lastRun - Date.parse(created_at)) / DAY;

  it('is what the service of that moment lists and shows, oldest first', () => {
    service.clock.now = lastRun;
    const listed = demoWorld(START).index(lastRun);
    expect(rows.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toReversed());
    expect(Math.max(...rows.map(age)), 'age of the oldest card, in days').toBeGreaterThan(89);
    for (const row of rows.slice(-400)) {
      const detail = service.resource<SignalDetail>(`/signals/${row.id}`);
      expect(detail, `card ${row.id}`).toMatchObject(row);
      if ('outcome' in row) expect(row, `card ${row.id}`).toEqual(detail);
    }
  });

  it('has a notebook that the one judge wrote, sitting by sitting', async () => {
    const [answers, looks] = [
      await readStatsLog(directory, START),
      await readScreenersLog(directory, START),
    ];
    const judged: Finding[] = [];
    for (const now of new Set(answers.map(({ at }) => at))) {
      const until = <T extends { readonly at: number }>(all: readonly T[]) =>
        all.filter(({ at }) => at <= now);
      // An outcome that is not due by then cannot be known.
      const known = until(rows.map((card) => historyCardOf(card, Date.parse(card.created_at)))).map(
        (row) => (row.at <= now - DAY - 600_000 ? row : { ...row, outcomes: undefined }),
      );
      const settingsSince = presentSettingsSince(looks, now);
      const settingsOf = periodsInUseByType(until(looks));
      const evidence = { cards: known, answers: until(answers), settingsSince, settingsOf, now };
      judged.push(...judge(evidence, judged));
    }
    if (process.env.SCREENER_DEMO === '1') writeFileSync(NOTEBOOK, notebookOf(judged));
    expect(readFileSync(NOTEBOOK, 'utf8'), 'npm run demo').toBe(notebookOf(judged));
    const verdicts = judged.flatMap((finding) =>
      finding.about === 'type' ? [finding.verdict] : [],
    );
    expect(verdicts).toEqual(expect.arrayContaining(['above', 'below', 'small', 'unclear']));
    expect(
      judged.some((finding) => finding.about === 'number' && finding.cut !== null),
      'a cut is advised',
    ).toBe(true);
  });

  it('is the same market at any time of any day', async () => {
    const later = 40 * DAY - 7 * 3_600_000;
    const { values: findings } = await readFindings(directory, START);
    const { values: moved } = await readFindings(
      await demoHistory(START + later, atEnd),
      START + later,
    );
    const text = (all: typeof findings, by: number) =>
      JSON.stringify(all).replace(TIME, (time) => iso(time, by));
    expect(findings).not.toEqual([]);
    expect(text(moved, 0)).toBe(text(findings, 40 * DAY));
    const then = demoWorld(START + later);
    const ids = new Map(
      demoWorld(START)
        .index(lastRun)
        .map(({ id, createdAt }) => [id, createdAt]),
    );
    const both = then.index(START + later).filter(({ id }) => ids.has(id));
    expect(both.length, 'how many cards both worlds have').toBeGreaterThan(3000);
    for (const { id, createdAt } of both)
      expect(createdAt - (ids.get(id) ?? 0), `card ${id}`).toBe(40 * DAY);
  });

  it('has about 41 % of the outcomes that were due, and an export.json that says so', () => {
    const due = rows.filter((row) => age(row) > 1.01);
    const bought = due.filter((row) => 'outcome' in row);
    expect(bought.length / due.length).toBeCloseTo(0.41, 1);
    const counted = Object.values(manifest?.months ?? {}).reduce(
      (sum, { cards }) => sum + cards,
      0,
    );
    expect(counted).toBe(rows.length);
    const unsettled = bought.filter(({ outcome }) => outcome === null).length;
    expect(manifest?.remaining).toEqual({
      list: false,
      outcomes_due: due.length - bought.length + unsettled,
      outcomes_later: rows.length - due.length,
    });
  });

  it('was brought up to date an hour and a half ago, by a run of four minutes', () => {
    const finished_at = '2026-11-20T17:28:20Z';
    expect(manifest).toMatchObject({
      last_run: { started_at: '2026-11-20T17:24:20Z', finished_at, stopped_by: 'pace' },
      last_success: finished_at,
      judged_at: finished_at,
      spans: [{ since: manifest?.begins_at, until: finished_at }],
    });
  });

  it('knows of a change of settings half-way, and the service’s medians before and after it', async () => {
    const [first, change, ...more] = await readScreenersLog(directory, START);
    expect(more).toEqual([]);
    expect(change?.screeners).not.toEqual(first?.screeners);
    const answers = await readStatsLog(directory, START);
    expect(answers.length).toBe(10);
    for (const { at, type, stats } of answers) {
      expect([0, 30 * DAY], `${type}: ms between a change of settings and an answer`).toContain(
        at - (change?.at ?? 0),
      );
      service.clock.now = at;
      expect(service.resource(`/signal-stats?screener_type=${type}`), type).toEqual(stats);
    }
  });

  it('is for nobody else, and the same each time', async () => {
    const again = await demoHistory(START, atEnd);
    expect(textOf(again) === textOf(directory), 'another run makes the same history').toBe(true);
    if (process.platform !== 'win32') expect(statSync(again).mode & 0o777).toBe(0o700);
  });
});

run(
  'its answers have a yes, a no, a difference that does not matter and a not yet',
  async ({ here }) => {
    const answer = async (...words: string[]) =>
      JSON.parse(
        (await here(['--demo', ...words, '--json'], { clock: new TestClock(START) })).stdout,
      );
    const { items } = await answer('stats', '--local', '--by', 'type');
    type Item = { group: string; horizons: Record<string, { shown_verdict: string }> };
    const verdicts = items.map(
      (item: Item) => `${item.group} ${item.horizons['24h']?.shown_verdict}`,
    );
    const different = ['oi_growth above_others', 'funding_extreme below_others'];
    expect(verdicts).toEqual(
      expect.arrayContaining([...different, 'volume_burst small', 'breakout unclear']),
    );
    // Some cards are BTC's own: they are left out of what is compared with it.
    expect(items[0].horizons['24h'].cards_of_btc, 'cards of BTC').toBeGreaterThan(0);
    const { questions } = await answer('tune', 'oi_growth');
    const told = questions.flatMap(({ key, horizon, verdict }: Record<string, string>) =>
      horizon === '24h' && verdict !== 'unclear' ? [`${key} ${verdict}`] : [],
    );
    expect(told).toEqual(['oi_change_pct higher', 'market_rsi_1d constant_within_days']);
  },
);

run(
  'without a folder for temporary files the demo says so, and calls it no bug',
  async ({ screener }) => {
    const ran = await screener(['--demo', 'today'], { env: { TMPDIR: '/nowhere' } });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      "Cannot write the demo's history to /nowhere, which TMPDIR names: no such file",
    );
    expect(ran.stderr).not.toContain('bug');
  },
);
