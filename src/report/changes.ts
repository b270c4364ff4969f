/** What each change of a type's settings did, beside the types that kept theirs. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import type { ChangeVerdict } from '../outcomes/settings-change.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  type ChangeSides,
  changeWords,
  isBetter,
  LOOKED_WORST,
  type SettingsChangeFigures,
  type SettingsHistory,
  type SettingsSide,
  settingsOf,
} from '../output/views/settings-history.ts';
import { settingsChange } from '../output/views/settings-text.ts';
import { MARGIN, type Word } from '../statistics/rule.ts';
import { type ForestRow, forest } from './forest.ts';
import {
  type Fact,
  facts,
  fixed,
  html,
  label,
  type Markup,
  note,
  section,
  signed,
} from './markup.ts';

/** A change of one type's settings. */
interface Change {
  readonly type: string;
  readonly figures: SettingsChangeFigures;
  /** Undefined if the cards of either side are not known. */
  readonly sides: ChangeSides | undefined;
}

const RULE = `Helped: the thin line lies wholly beyond +${MARGIN} points; hurt: beyond −${MARGIN}.`;

/** @param histories of the types whose settings changed */
export function changesSection(histories: readonly SettingsHistory[]): Markup | undefined {
  const changes: Change[] = [];
  for (const { type, changes: ofType, sides } of histories)
    for (const [i, figures] of ofType.entries()) changes.push({ type, figures, sides: sides[i] });
  const [first] = changes;
  if (first === undefined) return undefined;
  const isAlone = changes.length === 1;
  const isLuckPossible = changes.some(({ figures }) => isBetter(figures.horizons[MAIN_HORIZON]));
  return section(
    'changes',
    isAlone
      ? `New settings of ${label(first.type)} on ${dateOf(first)}: ${wordsOf(first)}`
      : 'Before and after a change of settings',
    "A type's cards after the change against those before it, in percentage points. Both sides are compared with the same other types' cards of the day.",
    forest(
      changes.map((change) => rowOf(change, isAlone)),
      {
        label: 'What changes of settings did, after 24 h',
        sureLevel: '99 %',
        rule: RULE,
        sides: ['worse', 'better'],
      },
    ),
    note(isLuckPossible && LOOKED_WORST),
  );
}

const dateOf = ({ figures }: Change): string => dayAndMonth(Date.parse(figures.seen_by));

const wordsOf = ({ figures }: Change): string =>
  changeWords(figures.horizons[MAIN_HORIZON].verdict);

/** The colour of each word: that of a type that is above or below. */
const COLOURS: Readonly<Record<ChangeVerdict, Word | null>> = {
  higher: 'above',
  lower: 'below',
  small: 'small',
  unclear: 'unclear',
  too_few_days: 'too_few_days',
};

/** @param isAlone whether the heading says what it did */
function rowOf(change: Change, isAlone: boolean): ForestRow {
  const figures = change.figures.horizons[MAIN_HORIZON];
  return {
    name: change.type,
    word: COLOURS[figures.verdict],
    verdict: isAlone ? `changed on ${dateOf(change)}` : `${dateOf(change)}: ${wordsOf(change)}`,
    median: figures.difference_percentage_points,
    interval: figures.difference_interval_95,
    sureInterval: figures.difference_interval_99,
    isWeak: false,
    about: aboutChange(change),
  };
}

/** Both sides, whose difference the row draws, and what they are compared with. */
function aboutChange({ figures, sides }: Change): Markup {
  const before = sides?.before;
  const after = sides?.after;
  const lines: Fact[] = [];
  if (figures.horizons[MAIN_HORIZON].difference_interval_95 !== null)
    lines.push([besideWords(figures.controls.length), controlsOf(figures.controls)]);
  lines.push(['Before', settingsOf(before?.settings ?? [])]);
  lines.push(['After', settingsChange(before?.settings ?? [], after?.settings ?? [])]);
  return html`<div class="btc">${sideMarkup('before', before)}</div>
<div class="size">${sideMarkup('after', after)}</div>
${facts(lines)}`;
}

function besideWords(controls: number): string {
  return controls === 0 ? 'Beside' : `Beside ${pluralize(controls, 'type')}`;
}

function controlsOf(controls: readonly string[]): string {
  return controls.length === 0
    ? 'BTC: no other type has cards on both sides and kept its settings'
    : controls.map(label).join(', ');
}

/** `−1.20 before`, and cards a day below it. */
function sideMarkup(when: 'before' | 'after', side: SettingsSide | undefined): Markup {
  const vsControls = side?.vsControls ?? side?.vsBtc ?? null;
  const figure = vsControls === null ? '' : `${signed(vsControls)} ${when}`;
  const perDay = side?.perDay;
  const rate =
    perDay !== undefined && html`<span class="range">${fixed(perDay)} cards a day</span>`;
  return html`${figure} ${rate}`;
}
