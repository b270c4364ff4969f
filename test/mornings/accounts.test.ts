/** What accounts in which nothing works are told on their first pages: a small one, and one beyond its credits. */
import { expect, it } from 'vitest';
import type { Json } from '../support/samples.ts';
import { type AccountOptions, liveIn } from './accounts.ts';

interface Pages {
  readonly today: string;
  readonly ranking: string;
  readonly screeners: string;
  readonly report: string;
  // biome-ignore lint/suspicious/noExplicitAny: its fields are named where they are read.
  readonly json: any;
  readonly tune: string;
  /** The type that `tune` would buy first; null if there is none. */
  readonly focusOfTune: Json | null;
}

/** The pages of the last morning. */
async function pagesOf(options: AccountOptions): Promise<Pages> {
  let pages: Pages | undefined;
  await liveIn(options, async (day, ask) => {
    if (day < options.mornings - 1) return;
    pages = {
      today: await ask('today'),
      ranking: await ask('stats', '--local', '--by', 'type'),
      screeners: await ask('screeners', '--local'),
      report: await ask('report', '-'),
      json: JSON.parse(await ask('today', '--json')),
      tune: await ask('tune'),
      focusOfTune: JSON.parse(await ask('tune', '--json')).focus,
    };
  });
  if (pages === undefined) throw new Error('No morning.');
  return pages;
}

const SMALL = { price: 2, oi: 1.5 };

it('a small account is told what it can ever know, and no date', async () => {
  const { today, ranking, screeners, report, json, focusOfTune } = await pagesOf({
    types: SMALL,
    listed: 38,
    mornings: 2,
  });
  const { prospect } = json;
  const sizes = Object.fromEntries(
    prospect.types.map((type: Json) => [
      type.screener_type,
      Number(type.would_show_percentage_points),
    ]),
  );
  expect(prospect).toMatchObject({ days: 60, verdict: 'unclear' });
  expect(Object.keys(sizes).sort()).toEqual(['oi', 'price']);
  for (const [name, page] of Object.entries({ today, ranking })) {
    const [, told = ''] =
      /^Later +with 60 days of outcomes, differences above about (.*) can be seen$/m.exec(page) ??
      [];
    const toldSizes = [...told.matchAll(/(\S+) pp \((\w+)\)/g)];
    // Not told of a type of which as small a difference can be seen already.
    const betterLater = Object.entries(sizes).filter(([type, size]) => {
      const [, seenNow] = new RegExp(`^${type} .* under (\\S+) pp$`, 'm').exec(today) ?? [];
      return Math.ceil(2 * (size + 0.1)) / 2 < Number(seenNow);
    });
    expect(toldSizes.map(([, , type]) => type).sort(), name).toEqual(
      betterLater.map(([type]) => type).sort(),
    );
    expect(toldSizes.length, 'types that are told of').toBeGreaterThan(0);
    for (const [, size, type = ''] of toldSizes) {
      const roundedUp = Number(size) - Number(sizes[type]);
      expect({ size, type, isHalf: Number.isInteger(2 * Number(size)) }).toMatchObject({
        isHalf: true,
      });
      expect(roundedUp, `${size} of ${type}`).toBeGreaterThanOrEqual(0);
      expect(roundedUp, `${size} of ${type}`).toBeLessThan(0.7);
    }
    const [, low, high] =
      /^All cards vs BTC +between ([-+]\d\.\d\d) and ([-+]\d\.\d\d) pp \(95 % sure\)$/m.exec(
        page,
      ) ?? [];
    // What would show is beyond half the interval of 99.7 %, which is the wider one.
    const halfWidth = (Number(high) - Number(low)) / 2;
    expect(halfWidth).toBeGreaterThan(0);
    expect(halfWidth).toBeLessThan(prospect.would_show_percentage_points);
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
  const { today, json } = await pagesOf({ types: SMALL, listed: 3, mornings: 1 });
  expect(json).toMatchObject({ prospect: null, scarcity: null });
  expect(today).not.toMatch(/^Later|^All cards vs BTC/m);
});

it('a large account is told what is left out, what the list takes, and what --focus would bring', async () => {
  const types = { a: 30, b: 20, c: 10, d: 3, never: 0.02 };
  const { today, json, tune, focusOfTune } = await pagesOf({ types, listed: 13, mornings: 3 });
  const { scarcity } = json;
  expect(scarcity).toMatchObject({
    // Three pages of new cards, and a look at the settings, on thirty days.
    list_credits_per_month: 120,
    focus: { screener_type: expect.any(String), needed: expect.any(Number), why: 'tune' },
  });
  expect(scarcity.bought_per_day, 'outcomes bought a day').toBeLessThan(scarcity.cards_per_day / 4);
  const { screener_type: type, bought, needed } = scarcity.focus;
  expect(needed, 'outcomes that tests need').toBeGreaterThan(60);
  expect(scarcity.focus, 'as `tune` has it').toEqual(focusOfTune);
  const rate = `${Math.round(scarcity.bought_per_day)} of ${Math.round(scarcity.cards_per_day)}`;
  const each = Math.round(scarcity.cards_per_day / scarcity.bought_per_day);
  expect(today.replace(/\s+/g, ' ')).toContain(
    ` Bought You buy 1 in ${each} outcomes, at random (of the last 28 days: ${rate} a day). Of ${json.credits.limit} credits a month, the list of cards takes 120 or more. `,
  );
  expect(today, 'the outcomes of one day').not.toMatch(/^Outcomes/m);
  expect(today).toMatch(
    new RegExp(
      `^Focus +To learn what to change in ${type}, \`tune\` needs about ${needed} outcomes; you have ${bought}\\. To have the rest by \\d+ \\w{3} \\(else not within two months\\), buy them first, older cards included:\\n  screener signals export --focus ${type}$`,
      'm',
    ),
  );
  expect(tune).toMatch(new RegExp(`^  screener signals export --focus ${type}$`, 'm'));
  const none = scarcity.without_outcomes.join(', ');
  if (none !== '') expect(today).toMatch(new RegExp(`^No outcomes +${none}$`, 'm'));
});

/** What a morning says of the type to buy first. */
interface MorningOfFocus {
  readonly focus: { readonly screener_type: string; readonly under_way: boolean };
  /** Whether `today` asks to buy a type first. */
  readonly isAskedFor: boolean;
  readonly tune: string;
}

it('a large account that follows the advice is asked for it once, and goes on until its numbers are tested', async () => {
  const mornings: MorningOfFocus[] = [];
  const followed = () => mornings[0]?.focus.screener_type;
  const options: AccountOptions = {
    types: { a: 30, b: 28, c: 26, d: 3 },
    listed: 13,
    mornings: 13,
    exportWords: () => {
      const type = followed();
      return type === undefined ? [] : ['--focus', type];
    },
  };
  await liveIn(options, async (_, ask) => {
    const { scarcity } = JSON.parse(await ask('today', '--json'));
    if (scarcity === null) return;
    const isAskedFor = (await ask('today')).includes(' --focus ');
    mornings.push({ focus: scarcity.focus, isAskedFor, tune: await ask('tune') });
  });
  const type = followed();
  const answered = mornings.findIndex(({ focus }) => focus.screener_type !== type);
  expect(answered, 'mornings until another type comes first').toBeGreaterThan(8);
  for (const [day, { focus, isAskedFor, tune }] of mornings.slice(0, answered).entries()) {
    const isFirst = day === 0;
    expect({ day, isAskedFor, underWay: focus.under_way }).toEqual({
      day,
      isAskedFor: isFirst,
      underWay: !isFirst,
    });
    const goesOn = `\nExports buy ${type} first, to learn what to change in it.\n`;
    expect(tune.includes(goesOn), `tune says so on morning ${day}`).toBe(!isFirst);
    expect(tune.includes('signals export'), `tune asks for it on morning ${day}`).toBe(isFirst);
  }
  const waits = new RegExp(`^${type} +\\d+ +\\d+ \\w{3}$`, 'm');
  expect(mornings[1]?.tune, 'its date needs no --focus').toMatch(waits);
  const { focus, isAskedFor, tune } = mornings[answered] ?? {};
  expect({ isAskedFor, underWay: focus?.under_way }).toEqual({ isAskedFor: true, underWay: false });
  expect(tune).toMatch(new RegExp(`^${type} +nothing found in rsi_14;`, 'm'));
});
