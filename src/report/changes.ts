/** What each change of a type's settings did, beside the types that kept theirs. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import type { ChangeVerdict } from '../outcomes/settings-change.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  type ChangeSides,
  changeWords,
  leftOutNames,
  luckWords,
  type SettingsChangeFigures,
  type SettingsHistory,
  type SettingsSide,
  settingsOf,
} from '../output/views/settings-history.ts';
import { settingsChange } from '../output/views/settings-text.ts';
import type { Word } from '../statistics/rule.ts';
import { type ForestRow, forest } from './forest.ts';
import { type Fact, facts, fixed, label, type Markup, note, section, signed } from './markup.ts';

/** A change of one type's settings. */
interface Change {
  readonly type: string;
  readonly figures: SettingsChangeFigures;
  /** Undefined if the cards of either side are not known. */
  readonly sides: ChangeSides | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
}

const RULE =
  'The change helped: the whole thin line is right of the band. It hurt: the whole thin line is left of it.';

/** @param histories of the types whose settings changed */
export function changesSection(histories: readonly SettingsHistory[]): Markup | undefined {
  const changes: Change[] = [];
  for (const { type, changes: ofType, sides, least } of histories) {
    for (const [i, figures] of ofType.entries())
      changes.push({ type, figures, sides: sides[i], least });
  }
  const [first] = changes;
  if (first === undefined) return undefined;
  const isAlone = changes.length === 1;
  return section(
    'changes',
    isAlone
      ? `New settings of ${label(first.type)} on ${dateOf(first)}: ${wordsOf(first)}`
      : 'What your changes of settings did',
    'Each dot is how much more the cards moved after the change than before it, in pp. Both times are compared with the same other types, so that what the market did cancels out.',
    forest([{ heading: '', rows: changes.map((change) => rowOf(change, isAlone)) }], {
      label: 'What changes of settings did, after 24 h',
      columns: [{ title: 'after the change less before it', sides: ['worse', 'better'] }],
      point: 'difference',
      size: '',
      sureLevel: '99 %',
      rule: RULE,
    }),
    note(luckWords(changes.map(({ figures }) => figures))),
  );
}

const dateOf = ({ figures }: Change): string => dayAndMonth(Date.parse(figures.seen_by));

const wordsOf = ({ figures, least }: Change): string =>
  changeWords(figures.horizons[MAIN_HORIZON].verdict, least);

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
  const word = COLOURS[figures.verdict];
  return {
    name: change.type,
    word,
    verdict: isAlone ? `changed on ${dateOf(change)}` : `${dateOf(change)}: ${wordsOf(change)}`,
    remark: '',
    marks: [
      {
        word,
        // Without an interval it may be of a card or two.
        median: figures.difference_interval_95 && figures.difference_percentage_points,
        interval: figures.difference_interval_95,
        sureInterval: figures.difference_interval_99 ?? 'unbounded',
        isWeak: false,
        says: '',
      },
    ],
    size: false,
    about: aboutChange(change),
  };
}

/** Both sides, whose difference the row draws, and what they are compared with. */
function aboutChange({ figures, sides }: Change): Markup | false {
  const lines: Fact[] = [];
  if (sides !== undefined) {
    const { before, after } = sides;
    lines.push(['Before', sideWords(before, settingsOf(before.settings))]);
    lines.push(['After', sideWords(after, settingsChange(before.settings, after.settings))]);
  }
  if (figures.horizons[MAIN_HORIZON].difference_interval_95 !== null)
    lines.push(['Compared with', controlsOf(figures.controls)]);
  if (figures.left_out.length > 0) lines.push(['Left out', leftOutNames(figures.left_out)]);
  return facts(lines);
}

function controlsOf(controls: readonly string[]): string {
  return controls.length === 0
    ? 'BTC: no other type has cards on both sides and kept its settings'
    : controls.map(label).join(', ');
}

/** `−1.20 pp, 5 cards a day, 143 outcomes: min 2; window 15` */
function sideWords(side: SettingsSide, settings: string): string {
  const { vsControls, vsBtc, perDay, sample } = side;
  const vs = vsControls ?? vsBtc;
  const parts: string[] = [];
  if (vs !== null) parts.push(`${signed(vs)} pp`);
  if (perDay !== undefined) parts.push(`${fixed(perDay)} cards a day`);
  parts.push(pluralize(sample, 'outcome'));
  return `${parts.join(', ')}: ${settings}`;
}
