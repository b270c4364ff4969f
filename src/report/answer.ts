/** The report's first part: which screener types are worth keeping, as far as the outcomes tell; and the symbols alike. */
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import type { Comparison, GroupFigures, HorizonFigures } from '../outcomes/figure-table.ts';
import { groupBy } from '../outcomes/group.ts';
import { ranked } from '../outcomes/rank.ts';
import { utcDay } from '../runtime/units.ts';
import { forest, verdictText } from './forest.ts';
import { count, counted, fixed, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { note, section, undrawn } from './section.ts';
import type { Change } from './small-multiples.ts';

/** What is known of a type besides its outcomes. */
export interface TypeFacts {
  /** Its conditions now, in words; undefined where no look at the settings is kept. */
  readonly settings?: string | undefined;
  readonly cardsPerDay: number;
  /** What the numbers known at the trigger tell of it, a sentence each. */
  readonly findings: readonly string[];
}

/** More lines than that are no picture any more. */
const MOST_DRAWN = 20;

/**
 * @param changes of settings, oldest first: the figures of such a type mix what was before and after
 */
export function answerSection(
  byType: Comparison,
  facts: ReadonlyMap<string, TypeFacts>,
  { changes }: { readonly changes: readonly Change[] },
): Markup {
  const groups = ranked(byType.groups, '24h').slice(0, MOST_DRAWN);
  const weak = groups.some(({ horizons }) => HORIZON_NAMES.some((name) => horizons[name].weak));
  return section({
    id: 'answer',
    title: 'Which screener types are worth keeping',
    says: "After 24 h, against BTC's move and against your other cards of the same day. Higher and lower: by more than chance explains.",
    picture: [
      html`<dl class="answer">${answersOf(byType).map(([name, types]) => html`<dt>${name}</dt><dd>${types}</dd>\n`)}</dl>\n`,
      html`<h3>After 24 h</h3>\n`,
      forest({
        name: 'Screener types after 24 h',
        horizon: '24h',
        ofTypes: true,
        lines: groups.map((group) => ({ group, about: aboutType(group, facts.get(group.group ?? ''), changes) })),
      }),
      html`<h3>After 1 h</h3>\n`,
      forest({
        name: 'Screener types after 1 h',
        horizon: '1h',
        ofTypes: true,
        isCompact: true,
        lines: groups.map((group) => ({ group })),
      }),
      note(
        'Thick: the 95 % interval of that type alone; thin: widened for the comparison of all types.',
        weak ? 'Dotted: it leans on fewer than twelve blocks of days.' : '',
      ),
    ],
    numbers: numbersOf('Type', groups, HORIZON_NAMES.toReversed()),
  });
}

/** The symbols with the most outcomes, on an axis of their own. */
export function symbolsSection(bySymbol: Comparison): Markup {
  const bySample = [...bySymbol.groups].sort((a, b) => sampleOf(b) - sampleOf(a));
  const groups = ranked(bySample.slice(0, 10), '24h');
  const found = groups.filter(({ horizons }) => WAYS.some((way) => isCalled(horizons['24h'], way)));
  const differ = found.length === 1 ? 'differs' : 'differ';
  return section({
    id: 'symbols',
    title: 'Symbols after 24 h',
    says: `${found.length === 0 ? 'No symbol differs' : `${listed(found)} ${differ}`} by more than chance explains.`,
    picture: [
      forest({
        name: 'Symbols after 24 h',
        horizon: '24h',
        ofTypes: false,
        isCompact: true,
        lines: groups.map((group) => ({ group })),
      }),
      note(undrawn(bySample.length - groups.length)),
    ],
    numbers: numbersOf('Symbol', bySample, ['24h']),
  });
}

const nameOf = ({ group }: GroupFigures): string => label(group ?? '');
const sampleOf = ({ horizons }: GroupFigures): number => horizons['24h'].btc_sample;

function listed(groups: readonly GroupFigures[]): string {
  const names = groups.map(nameOf);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const WAYS = ['above', 'below'] as const;

/** Than what a group came out higher, or lower. */
function calledAgainst({ shown_verdict: verdict }: HorizonFigures, way: (typeof WAYS)[number]): string {
  if (verdict === `${way}_btc`) return 'than BTC';
  return verdict === `${way}_others` ? 'than others' : '';
}

const isCalled = (figures: HorizonFigures, way: (typeof WAYS)[number]) => calledAgainst(figures, way) !== '';

/** The answer: what is known, and of which types. */
function answersOf({ groups, least_percentage_points: least }: Comparison): [name: string, types: string][] {
  const day = ({ horizons }: GroupFigures) => horizons['24h'];
  const [higher, lower] = WAYS.map((way) => {
    const alike = groupBy(groups, (group) => calledAgainst(day(group), way));
    return [...alike].flatMap(([than, called]) => (than === '' ? [] : [`${listed(called)} ${than}`])).join('; ');
  });
  const uncalled = groups.filter((group) => !WAYS.some((way) => isCalled(day(group), way)));
  const has = (group: GroupFigures, word: string) => day(group).shown_verdict === word;
  const none = uncalled.filter((group) => has(group, 'none'));
  const unclear = uncalled.filter((group) => !has(group, 'none') && has(group, 'unclear'));
  const early = uncalled.filter((group) => !has(group, 'none') && !has(group, 'unclear'));
  const all: [string, string][] = [
    ['Higher', higher ?? ''],
    ['Lower', lower ?? ''],
    [`No difference of ${fixed(least)} pp`, listed(none)],
    ['Not known yet', unclear.length === 0 ? '' : `${listed(unclear)}. ${whatWouldShow(unclear)}`],
    [
      'Too few days',
      early.length === 0
        ? ''
        : `${listed(early)}. It takes outcomes on six blocks of days to say anything, and on twelve to say it firmly.`,
    ],
  ];
  return all.filter(([, types]) => types !== '');
}

function whatWouldShow(groups: readonly GroupFigures[]): string {
  const sizes = groups.flatMap(({ horizons }) => horizons['24h'].would_show_percentage_points ?? []);
  if (sizes.length === 0) return '';
  const [low, high] = [fixed(Math.min(...sizes)), fixed(Math.max(...sizes))];
  return `So far only a difference of about ${low === high ? low : `${low} to ${high}`} pp would show.`;
}

function aboutType(
  { group, rows, bought }: GroupFigures,
  facts: TypeFacts | undefined,
  changes: readonly Change[],
): Markup {
  const cards = `${counted(rows, 'card')}, ${fixed(facts?.cardsPerDay ?? 0)} a day; ${counted(bought, 'outcome')} bought.`;
  const settings = facts?.settings === undefined ? '' : ` Set to ${facts.settings}.`;
  const change = changes.findLast(({ types }) => types.includes(group ?? ''));
  const mixed = change && ` Settings changed ${utcDay(change.at)}: these figures mix what was before and after.`;
  return html`${cards}${settings}${mixed ?? ''}${facts?.findings.map((text) => html`<br>${text}`)}`;
}

function numbersOf(what: string, groups: readonly GroupFigures[], horizons: readonly HorizonName[]) {
  return {
    head: [what, 'Horizon', 'Outcomes', 'Median, pp', '95 % from', 'to', 'Against others, pp', 'Verdict'],
    rows: groups.flatMap((group) => horizons.map((horizon) => numbersRow(group, horizon))),
  };
}

function numbersRow(group: GroupFigures, horizon: HorizonName): string[] {
  const figures = group.horizons[horizon];
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval } = figures;
  return [
    nameOf(group),
    horizon.replace('h', ' h'),
    count(figures.btc_sample),
    signed(estimate),
    signed(interval?.low ?? null),
    signed(interval?.high ?? null),
    signed(figures.median_vs_others_percentage_points),
    verdictText(figures),
  ];
}
