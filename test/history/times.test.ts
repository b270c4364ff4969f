/** No time from a disk or a header lies after the newest of a page's end and this machine's clock. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { failure } from '../../src/sandbox/response.ts';
import { type Cron, livedOnce, startCron } from './cron.ts';
import { cardOf, DAY, HOUR, NOW } from './support.ts';

const START = Date.UTC(2026, 10, 20, 18, 5);

/** Thirty days of four cards a day, half of them of a type that is far above the other. */
const details: readonly SignalDetail[] = Array.from({ length: 150 }, (_, i) => {
  const one = cardOf(i + 1, 0);
  const isGood = i % 2 === 0;
  const noise = ((i * 7919) % 101) / 25 - 2;
  return {
    ...one,
    source_bot_type: isGood ? 'good' : 'plain',
    source_symbol: `S${(i * 31) % 17}USDT`,
    created_at: new Date(START - 30 * DAY + i * 6 * HOUR).toISOString(),
    outcome: one.outcome && {
      ...one.outcome,
      move_24h_pct: noise + (isGood ? 6 : 0),
      btc_move_24h_pct: ((i * 13) % 7) / 10,
    },
  };
});

/** Two of them a day, one of each type: enough for a word. */
const fewer = details.filter((_, i) => i % 4 < 2);

/** An account whose exports have found a word. */
const judgedAccount = livedOnce(async (start) => {
  const cron = await start({ details: fewer, start: START, monthCredits: 100_000 });
  for (let day = 0; day < 2; day += 1) {
    expect(await cron.export('--all-credits', '--no-stats')).toMatchObject({ code: 0 });
    await cron.clock.sleep(DAY);
  }
  expect(verdictOf(cron, 'good')).toBe('above');
  return cron;
});

function verdictOf(cron: Cron, type: string): unknown {
  const line = cron.notebook().findLast((one) => one.about === 'type' && one.type === type);
  return line !== undefined && 'verdict' in line ? line.verdict : undefined;
}

/** Every API time in export.json. */
function timesOf(cron: Cron): number[] {
  const text = readFileSync(join(cron.dir, 'export.json'), 'utf8');
  return [...text.matchAll(/"(\d{4}-\d\d-\d\dT[^"]+)"/g)].map(([, time = '']) => Date.parse(time));
}

describe.each([400, -400])('a Date header that is %i days off', (days) => {
  it('in runs that read no page of the list: no word is lost, and no time is of then', async () => {
    const cron = judgedAccount();
    await cron.command('today', '--changes');
    const before = cron.notebook();
    cron.headerAhead = days * DAY;
    const now = cron.clock.now();
    // The day's credits are spent.
    const { code, requests } = await cron.export('--max-credits', '0');
    expect({ code, asked: requests.map(({ operation }) => operation) }).toEqual({
      code: 0,
      asked: ['access'],
    });
    expect(cron.notebook()).toEqual(before);
    expect(Math.max(...timesOf(cron)), 'the latest time in the files').toBeLessThanOrEqual(now);
    expect(
      Date.parse(cron.manifest().last_run?.finished_at ?? ''),
      'when the last run ended',
    ).toBeGreaterThan(now - 2 * DAY);
    expect((await cron.command('today', '--changes')).stdout).toBe('');
    expect((await cron.command('signals', 'export', '--check')).code).toBe(0);
    cron.headerAhead = 0;
    await cron.clock.sleep(DAY);
    expect((await cron.export('--all-credits', '--no-stats')).code).toBe(0);
    expect(verdictOf(cron, 'good')).toBe('above');
  });
});

it('a notebook with lines of a later year: today --changes tells what comes after them', async () => {
  const cron = judgedAccount();
  const word = cron.notebook().findLast((line) => line.about === 'type' && line.type === 'good');
  const wrong = { ...word, at: '2028-01-06T10:00:00Z', verdict: null };
  appendFileSync(join(cron.dir, 'findings.ndjson'), `${JSON.stringify(wrong)}\n`);
  await cron.command('today', '--changes');
  await cron.clock.sleep(DAY);
  expect((await cron.export('--all-credits', '--no-stats')).code).toBe(0);
  expect(verdictOf(cron, 'good')).toBe('above');
  const { stdout } = await cron.command('today', '--changes', '--json');
  expect(JSON.parse(stdout).items.at(-1)).toMatchObject({
    kind: 'verdict',
    screener_type: 'good',
    message: expect.stringContaining('above'),
  });
  expect(stdout).not.toContain('2028');
  await cron.clock.sleep(HOUR);
  expect((await cron.command('today', '--changes')).stdout).toBe('');
});

it('what was last told in a later year hides nothing that is found from now on', async () => {
  const cron = judgedAccount();
  await cron.command('today', '--changes');
  const folder = cron.home.state;
  const name = readdirSync(folder).find((one) => one.startsWith('changes-')) ?? '';
  const path = join(folder, name);
  const told = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...told, at: Date.UTC(2028, 0, 6) }));
  expect((await cron.command('today', '--changes')).stdout).toBe('');
  await cron.clock.sleep(DAY);
  const word = cron.notebook().findLast((line) => line.about === 'type' && line.type === 'good');
  const at = new Date(cron.clock.now()).toISOString();
  const line = JSON.stringify({ ...word, at, verdict: 'unclear' });
  appendFileSync(join(cron.dir, 'findings.ndjson'), `${line}\n`);
  await cron.clock.sleep(HOUR);
  expect((await cron.command('today', '--changes')).stdout).toContain('good');
});

describe('the medians of each type that are planned', () => {
  /** An account that buys a part of its outcomes, so that the service's medians are of use. */
  const plannedAccount = livedOnce(async (start) => {
    const cron = await start({ details, start: START, monthCredits: 150 });
    expect((await cron.export()).code).toBe(0);
    await cron.clock.sleep(DAY);
    expect(plans(cron).map((time) => time > START)).toEqual([true, true]);
    return cron;
  });

  /** When the medians of each type are asked for next, epoch milliseconds UTC. */
  function plans(cron: Cron): number[] {
    return Object.values(cron.manifest().medians).map(({ next_at }) => Date.parse(next_at ?? ''));
  }

  /** When `stats` says that they are asked for next. */
  async function told(cron: Cron): Promise<string[]> {
    const { stdout } = await cron.command('stats', '--local', '--by', 'type', '--json');
    return stdout.match(/"next_medians_at":\s*"[^"]+"/g) ?? [];
  }

  it('stay where they are in a run that ends before it plans anew', async () => {
    const cron = plannedAccount();
    const before = { plans: plans(cron), told: await told(cron) };
    expect(before.told.length).toBeGreaterThan(0);
    expect((await cron.export('--max-credits', '0')).code).toBe(0);
    expect({ plans: plans(cron), told: await told(cron) }).toEqual(before);
    cron.answerInstead(() => failure(503));
    expect((await cron.export()).code).toBe(8);
    expect(plans(cron)).toEqual(before.plans);
  });

  it('of a later year are planned anew by the next run, though it sends nothing', async () => {
    const cron = plannedAccount();
    const planned = cron.manifest().medians;
    const path = join(cron.dir, 'export.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/("(next|asked)_at": ")\d{4}/g, '$12028'));
    expect((await cron.export('--max-credits', '0')).code).toBe(0);
    expect(cron.manifest().medians).toEqual(planned);
  });
});

it('a list that was taken to be here up to a later year is here up to its newest card', async () => {
  const cron = await startCron({ details, start: START, monthCredits: 100_000 });
  await cron.export('--no-outcomes', '--no-screeners', '--no-stats');
  const path = join(cron.dir, 'export.json');
  const manifest = cron.manifest();
  const [span] = manifest.spans;
  const year = '2028-01-06T10:00:00Z';
  const spans = [{ ...span, until: year }];
  writeFileSync(
    path,
    JSON.stringify({ ...manifest, spans, look: { ...manifest.look, at: year, late_at: year } }),
  );
  await cron.clock.sleep(DAY);
  const { code } = await cron.export('--no-outcomes', '--no-screeners', '--no-stats');
  expect(code).toBe(0);
  const listed = details.filter(({ created_at }) => Date.parse(created_at) <= cron.clock.now());
  expect(cron.cards()).toHaveLength(listed.length);
});

it('a card of the year 9999 is named and not kept, the others are; mended, it comes', async () => {
  const cron = await startCron({ details, start: START, monthCredits: 100_000 });
  const time = details.find(({ id }) => id === 120)?.created_at ?? '';
  cron.answerInstead(({ operation }, real) => {
    const page = real();
    const body = page.body.replaceAll(
      `"created_at":"${time}"`,
      '"created_at":"9999-01-01T00:00:00Z"',
    );
    return operation === 'signals' ? { ...page, body } : page;
  });
  const { code, stderr } = await cron.export('--no-outcomes', '--no-screeners', '--no-stats');
  expect(code).toBe(9);
  expect(stderr).toContain(
    'Card 120 does not match the API document: created_at: 9999-01-01T00:00:00Z is in the future.',
  );
  expect(stderr).toContain('1 card of the list not as documented, and not kept.');
  expect(cron.cards().map(({ id }) => id)).not.toContain(120);
  const listed = details.filter(({ created_at }) => Date.parse(created_at) <= START);
  expect(cron.cards()).toHaveLength(listed.length - 1);
  cron.answerInstead(undefined);
  await cron.clock.sleep(DAY);
  const next = await cron.export('--no-outcomes', '--no-screeners', '--no-stats');
  expect(next.code).toBe(0);
  expect(cron.cards().map(({ id }) => id)).toContain(120);
});

const ENDS_OF_CALENDARS = {
  '0001-01-01T00:00:00Z': 'is too long ago',
  '1970-01-01T00:00:00Z': 'is too long ago',
  '9999-12-31T23:59:59Z': 'is in the future',
};

describe.each(Object.entries(ENDS_OF_CALENDARS))('created_at %s', (time, says) => {
  const good = cardOf(2, 27).created_at;
  const few = [cardOf(1, 26), cardOf(2, 27), cardOf(3, 28)];

  it('in a list costs no further page', async () => {
    const cron = await startCron({ details: few, start: NOW });
    cron.answerInstead(({ operation }, real) => {
      const page = real();
      const body = page.body.replaceAll(`"created_at":"${good}"`, `"created_at":"${time}"`);
      return operation === 'signals' ? { ...page, body } : page;
    });
    const { code, stderr, requests } = await cron.export('--no-screeners', '--no-stats');
    expect({ code, ids: cron.cards().map(({ id }) => id) }).toEqual({ code: 9, ids: [3, 1] });
    expect(stderr).toContain(
      `Card 2 does not match the API document: created_at: ${time} ${says}.`,
    );
    expect(requests.filter(({ operation }) => operation === 'signals')).toHaveLength(1);
  });

  it('in a detail leaves the card its time, and is asked for again', async () => {
    const cron = await startCron({ details: few, start: NOW });
    cron.answerInstead(({ query }, real) => {
      const detail = real();
      const body = detail.body.replace(`"created_at":"${good}"`, `"created_at":"${time}"`);
      return query.id === '2' ? { ...detail, body } : detail;
    });
    const broken = await cron.export('--no-screeners', '--no-stats', '--json');
    expect(JSON.parse(broken.stdout)).toMatchObject({ complete: false });
    expect(cron.cards().map(({ created_at }) => created_at)).toContain(good);
    const shown = await cron.command('signals', 'show', '2');
    expect(shown.code).toBe(9);
    expect(shown.stderr.replaceAll('\n', ' ')).toContain(`created_at: ${time} ${says}.`);
    cron.answerInstead(undefined);
    await cron.clock.sleep(DAY);
    const mended = await cron.export('--no-screeners', '--no-stats', '--json');
    expect(JSON.parse(mended.stdout)).toMatchObject({ complete: true });
  });
});
