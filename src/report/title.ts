/** The page's finding, in one sentence: its title. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { ranked, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import type { SettingsChangeFigures, SettingsHistory } from '../output/views/settings-history.ts';
import { isLessLately } from '../output/views/verdict.ts';
import { label } from './markup.ts';

/**
 * What a type does, else what a change of settings did, else what would show by now:
 * `pump beats your other cards by 2.3 points; dump falls behind`.
 */
export function titleOf(
  standings: readonly Standing[],
  histories: readonly SettingsHistory[],
): string {
  const typesTitle = titleOfTypes(ranked(standings));
  if (typesTitle !== '') return typesTitle;
  const changeTitle = titleOfChanges(histories);
  return changeTitle === '' ? titleOfNothing(standings) : changeTitle;
}

/** Empty if no type is above or below. */
function titleOfTypes(standings: readonly Standing[]): string {
  const above = standings.filter(({ word }) => word === 'above');
  const below = standings.filter(({ word }) => word === 'below');
  const [best] = above;
  if (best === undefined) return below.length === 0 ? '' : behindWords(below, true);
  const { median } = best.base;
  const points = above.length > 1 || median === null ? '' : ` by ${median.toFixed(1)} points`;
  const lately = above.every(isLessLately) ? ', but less lately' : '';
  const beats = `${sentence(above, 'beats', 'beat')} ${whomOf(best)}${points}${lately}`;
  return below.length === 0 ? beats : `${beats}; ${behindWords(below, false)}`;
}

/** What to think of a type that falls behind, by its word against BTC. */
type Behind = 'too' | 'not' | 'unsure';

const BEHIND_WORDS: Readonly<Record<Behind, string>> = {
  too: '',
  not: ', but not behind BTC',
  unsure: ', but maybe not behind BTC',
};

function behindOf({ comparedWith, wordVsBtc }: Standing): Behind {
  if (comparedWith === 'btc' || wordVsBtc === 'below') return 'too';
  return wordVsBtc === 'above' || wordVsBtc === 'small' ? 'not' : 'unsure';
}

/** `dump falls behind, but not behind BTC`. @param isAlone whether nothing before it names whom */
function behindWords(below: readonly Standing[], isAlone: boolean): string {
  const parts: string[] = [];
  for (const behind of ['too', 'not', 'unsure'] as const) {
    const standings = below.filter((standing) => behindOf(standing) === behind);
    const [first] = standings;
    if (first === undefined) continue;
    const whom = isAlone ? ` ${whomOf(first)}` : '';
    parts.push(
      `${sentence(standings, 'falls behind', 'fall behind')}${whom}${BEHIND_WORDS[behind]}`,
    );
  }
  return parts.join('; ');
}

const whomOf = ({ comparedWith }: Standing): string =>
  comparedWith === 'btc' ? 'BTC' : 'your other cards';

/** `pump beats`, `a and b beat`. */
function sentence(standings: readonly Standing[], ofOne: string, ofSeveral: string): string {
  const names = new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
  return `${names} ${standings.length === 1 ? ofOne : ofSeveral}`;
}

/** `Your change of pump on 14 Oct helped, by 1.6 points`: the newest one that did anything; empty if none did. */
function titleOfChanges(histories: readonly SettingsHistory[]): string {
  let newest: { readonly type: string; readonly change: SettingsChangeFigures } | undefined;
  for (const { type, changes } of histories) {
    for (const change of changes) {
      const { verdict } = change.horizons[MAIN_HORIZON];
      const isTold = verdict === 'higher' || verdict === 'lower';
      const isNewer = newest === undefined || change.seen_by > newest.change.seen_by;
      if (isTold && isNewer) newest = { type, change };
    }
  }
  if (newest === undefined) return '';
  const { type, change } = newest;
  const { verdict, difference_percentage_points: difference } = change.horizons[MAIN_HORIZON];
  const points = difference === null ? '' : `, by ${Math.abs(difference).toFixed(1)} points`;
  const did = verdict === 'higher' ? 'helped' : 'hurt';
  return `Your change of ${label(type)} on ${dayAndMonth(Date.parse(change.seen_by))} ${did}${points}`;
}

function titleOfNothing(standings: readonly Standing[]): string {
  const judged = standings.filter(({ base }) => base.interval !== null);
  const [first] = judged;
  if (first === undefined) return 'Your screeners so far';
  if (judged.every(({ word }) => word === 'small'))
    return `No screener type differs by ${first.least} pp or more from ${whomOf(first)}`;
  const sizes: number[] = [];
  for (const { word, wouldShow } of judged)
    if (word === 'unclear' && wouldShow !== undefined) sizes.push(wouldShow);
  const none = 'No screener type stands out yet';
  if (sizes.length === 0) return none;
  return `${none}: under ${Math.min(...sizes).toFixed(1)} points cannot be seen yet`;
}
