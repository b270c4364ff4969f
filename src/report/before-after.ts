import { dayAndMonth } from '../output/format.ts';
import { CHANGE_WORDS, type SettingsHistory, settingsOf } from '../output/views/settings-history.ts';
import { between, fixed, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { verdictLook } from './plot.ts';
import { section } from './section.ts';

/** @param histories of the types whose settings changed */
export function beforeAfterSection(
  histories: readonly { readonly type: string; readonly history: SettingsHistory }[],
): Markup | undefined {
  const rows = histories.flatMap(({ type, history }) =>
    history.changes.map((change, i) => ({ type, change, before: history.groups[i], after: history.groups[i + 1] })),
  );
  if (rows.length === 0) return undefined;
  const told = (group: SettingsHistory['groups'][number] | undefined) =>
    `${settingsOf(group?.settings ?? [])}: ${fixed(group?.cards_per_day ?? 0)} cards a day`;
  return section({
    id: 'changes',
    title: 'Before and after a change of settings',
    says: "After less before, each beside the other types' cards of those days, percentage points.",
    picture: html`<ul class="changes">${rows.map(({ type, change, before, after }) => {
      const { verdict, difference_percentage_points: by, difference_interval_95: interval } = change.horizons['24h'];
      const look = verdictLook(verdict === 'higher' ? 'above_btc' : verdict === 'lower' ? 'below_btc' : null);
      return html`<li><b>${label(type)}</b>, ${dayAndMonth(Date.parse(change.seen_by))}: ${CHANGE_WORDS[verdict]}${by !== null && html` (<b${look}>${signed(by)}</b>, ${between(interval)})`}.<br><span class="range">Before: ${told(before)}. After: ${told(after)}.</span></li>\n`;
    })}</ul>`,
  });
}
