import * as v from 'valibot';
import { described, time } from '../../api/contract/primitives.ts';
import { against, isWeak } from '../../outcomes/figure-table.ts';
import type { News } from '../../outcomes/news.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { UNUSUAL_KINDS } from './today.ts';
import { cutName, numberName } from './tune-words.ts';
import { behindBtc, VERDICTS_SHOWN } from './verdict.ts';

const change = v.object({
  at: described(time, 'when it was found or withdrawn, UTC'),
  kind: described(v.picklist(['verdict', 'number', ...UNUSUAL_KINDS]), 'what it is about'),
  screener_type: described(v.nullable(v.string()), 'screener type; null: of the account'),
  number: described(v.nullable(v.string()), 'number at the trigger; null: not about one'),
  message: described(v.string(), 'a sentence'),
});
export type Change = v.InferOutput<typeof change>;

export const changesView: View<Change> = { fields: fieldsOf(change) };

/** `pump: above your other cards since 20 Nov (+2.31 pp).`, `pump: no longer above (20 Nov): now unclear.` */
export function newsWords({ at, line, before }: News, standings: readonly Standing[]): string {
  const [name, date] = [safeText(line.type), dayAndMonth(Date.parse(at))];
  if (line.about === 'number') {
    const number = numberName({ key: line.number, absolute: line.absolute });
    if (line.verdict === 'unclear') return `${name}: ${number} no longer tells good cards from bad (${date}).`;
    const { at_least: least, at_most: value = least } = line.cut ?? {};
    const direction = least === undefined ? 'at_most' : 'at_least';
    const advice = value === undefined ? '' : ` Worth trying: ${cutName({ direction, value })}.`;
    return `${name}: the ${line.verdict} ${number}, the better (found on ${date}).${advice}`;
  }
  const word = (verdict: typeof line.verdict, to = line.to) => {
    const shown = against(to, verdict);
    return shown === null ? 'nothing measured' : VERDICTS_SHOWN[shown].text;
  };
  if (line.verdict !== 'above' && line.verdict !== 'below') {
    const said = before?.about === 'type' ? word(before.verdict, before.to) : '';
    const set = line.settings_since === before?.settings_since ? null : line.settings_since;
    const why = set && `, because its settings changed on ${dayAndMonth(Date.parse(set))}`;
    return `${name}: no longer ${said}${why ?? ` (${date}): now ${word(line.verdict)}`}.`;
  }
  const whom = line.to === 'others' ? ' your other cards' : '';
  const drop = line.verdict === 'below' && line.to === 'others' ? ` It is ${behindBtc(line.vs_btc)}.` : '';
  const weak = standings.some((one) => one.group === line.type && isClear(one) && isWeak(one));
  const figure = percentagePoints(line.difference_percentage_points);
  return `${name}: ${word(line.verdict)}${whom} since ${date} (${figure}${weak ? '; weak' : ''}).${drop}`;
}
