/** What to keep, drop and change: three lines below the title, in plain words. */
import { pluralize } from '../base/units.ts';
import { LEAST } from '../outcomes/question.ts';
import type { Standing } from '../outcomes/standing.ts';
import type { Cut } from '../outcomes/tune-types.ts';
import { dayAndMonth } from '../output/format.ts';
import { type SectionName, sectionNameOf } from '../output/views/sections.ts';
import { AFTER_A_CHANGE, CHANGE_WORDS } from '../output/views/settings-history.ts';
import { cutName, doubtSentence, numberName } from '../output/views/tune-words.ts';
import { isLessLately } from '../output/views/verdict.ts';
import { type Fact, html, label, type Markup, type MarkupPart, signed } from './markup.ts';

/** What the lines are made of. */
export interface ActionsInput {
  readonly standings: readonly Standing[];
  /** Stricter settings to try, of types that are not behind. */
  readonly suggestions: readonly Cut[];
  /** The setting that a cut probably means, in words; empty if none can be told. */
  readonly settingFor: (cut: Cut) => string;
}

/** One line where there is nothing to keep, to drop or to change. */
export function actionsOf(input: ActionsInput): Fact[] {
  const keep = keepParts(input.standings);
  const drop = dropParts(input.standings);
  const change = changeParts(input);
  if (keep.length === 0 && drop.length === 0 && change.length === 0)
    return [['To do', 'nothing to keep, drop or change yet']];
  return [
    ['Keep', partsOr(keep, 'no type stands out yet')],
    ['Drop', partsOr(drop, 'none')],
    ['Change', partsOr(change, 'nothing found yet')],
  ];
}

/** Each part on a line of its own. */
function partsOr(parts: readonly Markup[], nothing: string): MarkupPart {
  if (parts.length === 0) return nothing;
  return parts.map((part, i) => (i === 0 ? part : html`<br>${part}`));
}

/** Of types that are not above the other cards. */
const AHEAD_OF_BTC: ReadonlySet<SectionName> = new Set([
  'ahead_of_btc_level_with_others',
  'ahead_of_btc_unsure_of_others',
]);

/** Types that are above, of those that are less so lately what they did, and types that are ahead of BTC alone. */
function keepParts(standings: readonly Standing[]): Markup[] {
  const parts: Markup[] = [];
  const steady = standings.filter((one) => one.word === 'above' && !isLessLately(one));
  if (steady.length > 0) parts.push(html`<b class="above">${namesOf(steady)}</b>`);
  for (const { group, word, lately } of standings) {
    if (word !== 'above' || lately === undefined) continue;
    const last = signed(lately.last30Days.percentage_points);
    const before = signed(lately.earlier.percentage_points);
    parts.push(
      html`not surely: <b>${label(group)}</b> may have stopped working (${last} pp in the last 30 days, ${before} pp before)`,
    );
  }
  const aheadOfBtc = standings.filter((standing) => AHEAD_OF_BTC.has(sectionNameOf(standing)));
  if (aheadOfBtc.length > 0) parts.push(html`for now: <b>${namesOf(aheadOfBtc)}</b>, ahead of BTC`);
  return parts;
}

/** Types that are behind BTC; of those that are behind the other cards alone, why not to drop them. */
function dropParts(standings: readonly Standing[]): Markup[] {
  const parts: Markup[] = [];
  const behindBoth = standings.filter((standing) => sectionNameOf(standing) === 'drop');
  const behindBtc = standings.filter(
    ({ word, comparedWith }) => word === 'below' && comparedWith === 'btc',
  );
  if (behindBoth.length > 0)
    parts.push(
      html`<b class="below">${namesOf(behindBoth)}</b>, behind your other cards and behind BTC`,
    );
  if (behindBtc.length > 0)
    parts.push(html`<b class="below">${namesOf(behindBtc)}</b>, behind BTC`);
  for (const standing of standings) {
    const reason = REASONS_AGAINST[sectionNameOf(standing)];
    if (reason === undefined) continue;
    parts.push(
      html`not yet: <b>${label(standing.group)}</b> is behind your other cards, but ${reason}`,
    );
  }
  return parts;
}

/** Why a type that is behind the other cards is not dropped. */
const REASONS_AGAINST: Readonly<Partial<Record<SectionName, string>>> = {
  behind_others_ahead_of_btc: 'ahead of BTC',
  behind_others_level_with_btc: `within ${LEAST} pp of BTC`,
  behind_others_unsure_of_btc: 'not surely behind BTC',
};

/** What the last change of a type's settings did, a stricter setting to try, a screener that is silent. */
function changeParts({ standings, suggestions, settingFor }: ActionsInput): Markup[] {
  const parts: Markup[] = [];
  for (const { group, change, groupFigures } of standings) {
    const since = groupFigures?.settings_since;
    if (change === undefined || since == null) continue;
    const yours = `your change of ${dayAndMonth(Date.parse(since))}`;
    const did =
      change.verdict === 'unclear'
        ? `it is not known yet whether ${yours} helped`
        : `${yours} ${CHANGE_WORDS[change.verdict]}. ${AFTER_A_CHANGE[change.verdict]}`;
    parts.push(html`<b>${label(group)}</b>: ${did}`);
  }
  for (const cut of suggestions) {
    const setting = settingFor(cut);
    const which = setting === '' ? '' : ` (${setting})`;
    const what = `${label(numberName(cut))} ${cutName(cut)}${which}`;
    const doubt = doubtSentence(cut);
    const end = doubt === '' ? '' : `.${doubt}`;
    parts.push(html`<b>${label(cut.type)}</b>: take only cards with ${what}${end}`);
  }
  for (const { group, silentDays } of standings) {
    if (silentDays === undefined) continue;
    const days = pluralize(silentDays, 'day');
    parts.push(
      html`<b>${label(group)}</b>: no card for ${days}, though switched on: its settings may be too strict`,
    );
  }
  return parts;
}

function namesOf(standings: readonly Standing[]): string {
  return new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
}
