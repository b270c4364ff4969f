import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { dayAndMonth } from '../output/format.ts';
import { settingsChange } from '../output/views/screeners.ts';
import { CHANGE_WORDS, LOOKED_WORST, type SettingsHistory, settingsOf } from '../output/views/settings-history.ts';
import { between, facts, fixed, html, label, type Markup, section, signed } from './markup.ts';
import { verdictLook } from './plot.ts';

/** @param histories of the types whose settings changed */
export function beforeAfterSection(
  histories: readonly { readonly type: string; readonly history: SettingsHistory }[],
): Markup | undefined {
  const rate = (group: SettingsHistory['groups'][number] | undefined) =>
    `${fixed(group?.cards_per_day ?? 0)} cards a day`;
  const rows = histories.flatMap(({ type, history }) =>
    history.changes.map(({ seen_by, horizons }, i) => {
      const [before, after] = [history.groups[i], history.groups[i + 1]];
      const [old, now] = [before?.settings ?? [], after?.settings ?? []];
      const { verdict, difference_percentage_points: by, difference_interval_95: interval } = horizons[MAIN_HORIZON];
      const look = verdictLook(verdict === 'higher' ? 'above' : verdict === 'lower' ? 'below' : null);
      const said = facts([
        interval !== null && ['Difference', html`<b${look}>${signed(by)}</b> (${between(interval)})`],
        ['Before', `${settingsOf(old)}; ${rate(before)}`],
        ['After', `${settingsChange(old, now)}; ${rate(after)}`],
      ]);
      const date = dayAndMonth(Date.parse(seen_by));
      return { finding: `New settings of ${label(type)} on ${date}: ${CHANGE_WORDS[verdict]}`, said };
    }),
  );
  const [first, second] = rows;
  return (
    first &&
    section({
      id: 'changes',
      title: second === undefined ? first.finding : 'Before and after a change of settings',
      says: `Its cards after the change against those before it, in percentage points. Both are compared with the other types' cards of those days. ${LOOKED_WORST}`,
      picture: rows.map(({ finding, said }) => [second !== undefined && html`<p><b>${finding}</b></p>`, said]),
    })
  );
}
