/** What accounts in which nothing works are told on their first pages: a small one, and one beyond its credits. */
import { expect, it } from 'vitest';
import { once } from '../../src/base/collections.ts';
import { shareText } from '../../src/output/format.ts';
import type { Json } from '../support/samples.ts';
import { type AccountOptions, type Ask, liveIn } from './accounts.ts';

/** What one morning says of what to buy. */
interface Morning {
  readonly day: number;
  readonly today: string;
  // biome-ignore lint/suspicious/noExplicitAny: its fields are named where they are read.
  readonly json: any;
  readonly tune: string;
}

async function readMorning(day: number, ask: Ask): Promise<Morning> {
  return {
    day,
    today: await ask('today'),
    json: JSON.parse(await ask('today', '--json')),
    tune: await ask('tune'),
  };
}

/** The type that `tune` would buy first; null if there is none. */
async function focusOfTune(ask: Ask): Promise<Json | null> {
  return JSON.parse(await ask('tune', '--json')).focus;
}

interface Pages extends Morning {
  readonly ranking: string;
  readonly screeners: string;
  readonly report: string;
  readonly focusOfTune: Json | null;
}

/** The pages of the last morning. */
async function pagesOf(options: AccountOptions): Promise<Pages> {
  let pages: Pages | undefined;
  await liveIn(options, async (day, ask) => {
    if (day !== options.exportDays.at(-1)) return;
    pages = {
      ...(await readMorning(day, ask)),
      ranking: await ask('stats', '--local', '--by', 'type'),
      screeners: await ask('screeners', '--local'),
      report: await ask('report', '-'),
      focusOfTune: await focusOfTune(ask),
    };
  });
  if (pages === undefined) throw new Error('No morning.');
  return pages;
}

const SMALL = { price: 2, oi: 1.5 };

it('a small account is told what it can ever know, and no date', async () => {
  const { today, ranking, screeners, report, json, focusOfTune } = await pagesOf({
    types: SMALL,
    listed: 50,
    exportDays: [0, 1],
  });
  const { prospect } = json;
  const sizes = Object.fromEntries(
    prospect.types.map((type: Json) => [
      type.screener_type,
      Number(type.would_show_percentage_points),
    ]),
  );
  expect(prospect).toMatchObject({ days: 180, verdict: 'unclear' });
  expect(Object.keys(sizes).sort()).toEqual(['oi', 'price']);
  for (const [name, page] of Object.entries({ today, ranking })) {
    const [, told = ''] =
      /^Later +with 180 days of outcomes \(older ones do not count\), differences above about ([^.]*(?:\.\d[^.]*)*) can be seen\. Looser settings bring more cards, and answers sooner\.$/m.exec(
        page,
      ) ?? [];
    const toldSizes = [...told.matchAll(/(\S+) pp \(([^)]+)\)/g)].flatMap(([, size, types = '']) =>
      types.split(', ').map((type) => [type, Number(size)] as const),
    );
    // Not told of a type of which as small a difference can be seen already.
    const betterLater = Object.entries(sizes)
      .map(([type, size]) => [type, Math.max(1, Math.round(2 * size) / 2)] as const)
      .filter(([type, size]) => {
        const [, seenNow] =
          new RegExp(`^${type} .* (\\S+) pp or more would likely show$`, 'm').exec(today) ?? [];
        return size < Number(seenNow);
      });
    expect(toldSizes.length, 'types that are told of').toBeGreaterThan(0);
    expect(toldSizes.toSorted(), `${name}: each to half a point`).toEqual(betterLater.toSorted());
    expect(page, name).not.toContain('likely by');
  }
  expect(today).toMatch(/^TYPE +CARDS +USUAL +VERDICT \(24 H, VS BTC\)$/m);
  expect({ scarcity: json.scarcity, focusOfTune }, 'all outcomes are bought').toEqual({
    scarcity: null,
    focusOfTune: null,
  });
  // Compared with BTC alone, it is told of no other cards.
  expect(screeners).toMatch(/ VERDICT \(VS BTC\)\s/);
  expect(report).toMatch(/after the trigger is compared with BTC/);
  for (const [name, page] of Object.entries({ ranking, screeners, report }))
    expect(page, name).not.toContain('your other cards');
});

it('is told nothing of the kind before there is an interval', async () => {
  const { today, json } = await pagesOf({ types: SMALL, listed: 3, exportDays: [0] });
  expect(json).toMatchObject({ prospect: null, scarcity: null });
  expect(today).not.toMatch(/^Later/m);
});

interface LargeAccount {
  /** On the first of these mornings nothing has been bought first yet. */
  readonly mornings: readonly Morning[];
  /** The type that `tune` would buy first on the first morning. */
  readonly focusOfTune: Json | null;
}

/** A large account that follows the advice of its first morning on what to buy first. */
const largeAccount = once(async (): Promise<LargeAccount> => {
  const mornings: Morning[] = [];
  let focusOnFirst: Json | null = null;
  const options: AccountOptions = {
    types: { a: 24, b: 20, c: 16, d: 4, never: 0.05 },
    listed: 16,
    exportDays: [0, 1, 2, 4, 6, 8, 12, 16],
    exportWords: () => {
      const [first] = mornings;
      return first === undefined ? [] : ['--focus', first.json.scarcity.focus.screener_type];
    },
  };
  await liveIn(options, async (day, ask) => {
    // On day 0 no date of a test is near enough to propose a type.
    if (day === 0) return;
    mornings.push(await readMorning(day, ask));
    if (mornings.length === 1) focusOnFirst = await focusOfTune(ask);
  });
  return { mornings, focusOfTune: focusOnFirst };
});

it('a large account is told what is left out, and what --focus would bring', async () => {
  const { mornings, focusOfTune } = await largeAccount();
  const [first] = mornings;
  if (first === undefined) throw new Error('No morning.');
  const { today, json, tune } = first;
  const { scarcity } = json;
  expect(scarcity).toMatchObject({
    focus: { screener_type: expect.any(String), needed: expect.any(Number), why: 'tune' },
  });
  expect(scarcity.bought_per_day, 'outcomes bought a day').toBeLessThan(scarcity.cards_per_day / 4);
  const { screener_type: type, needed } = scarcity.focus;
  expect(needed, 'outcomes that tests need').toBeGreaterThan(60);
  expect(scarcity.focus, 'as `tune` has it').toEqual(focusOfTune);
  const share = shareText(scarcity.bought_per_day / scarcity.cards_per_day);
  expect(today).toMatch(
    new RegExp(`^Bought +${share} of the outcomes of the last 28 days, at random$`, 'm'),
  );
  expect(today, 'the outcomes of one day').not.toMatch(/^Outcomes/m);
  expect(today).toMatch(
    new RegExp(
      `^Focus +To learn what to change in ${type}, \`tune\` needs more of its outcomes\\. If you buy them first, older cards included, (they come at least twice as fast|there are enough by the end of \\w{3}):\\n  screener signals export --focus ${type}$`,
      'm',
    ),
  );
  expect(tune).toMatch(new RegExp(`^  screener signals export --focus ${type}$`, 'm'));
  expect(today).not.toContain('No outcomes');
});

it('a large account that follows the advice is asked for it once, and goes on until its numbers are tested', async () => {
  const { mornings } = await largeAccount();
  const type = mornings[0]?.json.scarcity.focus.screener_type;
  const answered = mornings.findIndex(({ json }) => json.scarcity.focus?.screener_type !== type);
  expect(mornings[answered]?.day, 'the day on which another type comes first').toBeGreaterThan(6);
  const goesOn = `\nExports buy ${type} first, to learn what to change in it.\n`;
  for (const { day, today, json, tune } of mornings.slice(0, answered)) {
    const isFirst = day === mornings[0]?.day;
    const says = {
      day,
      todayAsksForIt: today.includes(' --focus '),
      isUnderWay: json.scarcity.focus.under_way,
      tuneAsksForIt: tune.includes('signals export'),
      tuneGoesOn: tune.includes(goesOn),
    };
    expect(says).toEqual({
      day,
      todayAsksForIt: isFirst,
      isUnderWay: !isFirst,
      tuneAsksForIt: isFirst,
      tuneGoesOn: !isFirst,
    });
  }
  const waits = new RegExp(`^${type} .*end of \\w{3}$`, 'm');
  expect(mornings[1]?.tune, 'its date needs no --focus').toMatch(waits);
  const { json, tune } = mornings[answered] ?? {};
  // Its turn is over: another type's test would come in half the time.
  expect(tune, 'asks for another').toContain(' --focus ');
  expect(json?.scarcity.focus).toMatchObject({ why: 'tune', under_way: false });
  expect(tune).toMatch(new RegExp(`^${type} +nothing found;`, 'm'));
});
