import { dayAndMonth } from '../output/format.ts';
import { CHANGE_WORDS, type SettingsHistory, settingsOf } from '../output/views/settings-history.ts';
import { between, fixed, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { verdictLook } from './plot.ts';
import { facts, section } from './section.ts';

/** @param histories of the types whose settings changed */
export function beforeAfterSection(
  histories: readonly { readonly type: string; readonly history: SettingsHistory }[],
): Markup | undefined {
  const rows = histories.flatMap(({ type, history: { changes, groups } }) =>
    changes.map((change, i) => {
      const { verdict, ...figures } = change.horizons['24h'];
      const finding = `New settings of ${label(type)} on ${dayAndMonth(Date.parse(change.seen_by))}: ${CHANGE_WORDS[verdict]}`;
      return { finding, verdict, ...figures, before: groups[i], after: groups[i + 1] };
    }),
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const told = (group: SettingsHistory['groups'][number] | undefined) =>
    `${settingsOf(group?.settings ?? [])}; ${fixed(group?.cards_per_day ?? 0)} cards a day`;
  return section({
    id: 'changes',
    title: rows.length === 1 ? first.finding : 'Before and after a change of settings',
    says: "Its cards after the change against those before it, in percentage points. Both are compared with the other types' cards of those days.",
    picture: html`<ul class="changes">${rows.map(({ finding, verdict, difference_percentage_points: by, ...row }) => {
      const look = verdictLook(verdict === 'higher' ? 'above_btc' : verdict === 'lower' ? 'below_btc' : null);
      const difference = by !== null && html`<b${look}>${signed(by)}</b> (${between(row.difference_interval_95)})`;
      return html`<li>${rows.length > 1 && html`<b>${finding}</b>`}${facts([
        ...(difference ? [['Difference', difference] as const] : []),
        ['Before', told(row.before)],
        ['After', told(row.after)],
      ])}</li>\n`;
    })}</ul>`,
  });
}
