/** What each change of a type's settings did, compared with the types that kept their settings. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import type { ChangeVerdict } from '../outcomes/settings-change.ts';
import { dayAndMonth } from '../output/format.ts';
import { changeEffect } from '../output/views/change-words.ts';
import {
  type ChangeSides,
  foundAt,
  hasBothSides,
  LEAST_DAYS,
  leftOutNames,
  luckNote,
  type SettingsChangeFigures,
  type SettingsHistory,
  type SettingsSide,
  whatToDoNow,
} from '../output/views/settings-history.ts';
import { settingsChange } from '../output/views/settings-text.ts';
import type { Verdict } from '../statistics/rule.ts';
import { type ForestMark, type ForestRow, forest } from './forest.ts';
import { type Fact, facts, label, type Markup, note, section, signedFigure } from './markup.ts';

/** A change of one type's settings. */
interface Change {
  readonly type: string;
  readonly figures: SettingsChangeFigures;
  /** Undefined if the cards of either side are not known. */
  readonly sides: ChangeSides | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least: number;
  /** Says that the type sends no cards, and what to do about it; empty if the type sends cards. */
  readonly silence: string;
}

const LEVEL_OF_PICTURE = '99 %';

const RULE =
  'A change helped if the whole line was right of the band on two days. It hurt if the line was left of it. Either answer is taken back if the 95 % interval reaches 0 on two days.';

/** `drawnWords` adds what the cards are compared with. */
const DRAWN =
  'Each dot is how much better (+) or worse (−) the cards did after the change than before it, in pp. Both times are compared with';
const NOT_DRAWN = `Nothing is known yet: it needs ${LEAST_DAYS} days of outcomes or more before and after a change.`;

/**
 * Whether the picture draws what the change did. It does not without an interval: the difference may rest on one or two cards.
 */
function hasRange({ figures }: Change): boolean {
  return figures.horizons[MAIN_HORIZON].difference_interval_99 !== null;
}

/** What the picture shows, and what the cards of both times are compared with. */
function drawnWords(changes: readonly Change[]): string {
  const drawn = changes.filter(hasRange);
  const withTypes = drawn.filter(({ figures }) => figures.controls.length > 0);
  if (withTypes.length === 0) return `${DRAWN} BTC alone.`;
  const orBtc = withTypes.length < drawn.length ? ' (or with BTC, where that is named)' : '';
  return `${DRAWN} the same other types${orBtc}, so that what the market did cancels out.`;
}

/**
 * @param histories of the types whose settings changed
 * @param hasLegendAbove whether a picture further up the page says what the marks mean
 */
export function changesSection(
  histories: readonly SettingsHistory[],
  hasLegendAbove: boolean,
): Markup | undefined {
  const changes: Change[] = [];
  for (const { type, changes: ofType, sides, least, silence } of histories) {
    const changesOfType = ofType.map((figures, i) => {
      return { type, figures, sides: sides[i], least, silence };
    });
    // The newest first, as on a terminal.
    changes.push(...changesOfType.toReversed());
  }
  const [first] = changes;
  if (first === undefined) return undefined;
  const isAlone = changes.length === 1;
  return section(
    'changes',
    isAlone
      ? `Your change of ${label(first.type)} on ${dateOfChange(first)}: ${wordsOfEffect(first)}`
      : 'What your changes of settings did',
    changes.some(hasRange) ? drawnWords(changes) : NOT_DRAWN,
    forest([{ heading: '', rows: changes.map((change) => rowOfChange(change, isAlone)) }], {
      label: 'What changes of settings did, after 24 h',
      columns: [{ title: 'after minus before', sides: ['worse', 'better'] }],
      point: 'difference',
      level: LEVEL_OF_PICTURE,
      decides: RULE,
      hasLegendAbove,
    }),
    note(luckNote(changes.map(({ figures }) => figures))),
  );
}

/** `10 Sep` */
function dateOfChange({ figures }: Change): string {
  return dayAndMonth(Date.parse(figures.seen_by));
}

/** `helped` */
function wordsOfEffect({ figures, least }: Change): string {
  return changeEffect(figures.horizons[MAIN_HORIZON].verdict, least);
}

/** The verdict that gives a change its colour. */
function colourOf(change: Change): Verdict | null {
  return COLOURS[change.figures.horizons[MAIN_HORIZON].verdict];
}

/** A change that helped has the colour of `above`; a change that hurt has the colour of `below`. */
const COLOURS: Readonly<Record<ChangeVerdict, Verdict | null>> = {
  higher: 'above',
  lower: 'below',
  small: 'small',
  unclear: 'unclear',
  too_few_days: 'too_few_days',
};

/** @param isAlone whether it is the only change: then the heading says when it was, and what it did */
function rowOfChange(change: Change, isAlone: boolean): ForestRow {
  return {
    name: change.type,
    verdict: colourOf(change),
    belowName: isAlone ? '' : `${dateOfChange(change)}: ${wordsOfEffect(change)}`,
    remark: foundWords(change),
    marks: [markOfChange(change)],
    details: detailsOfChange(change),
  };
}

/** `found on 1 Oct`; empty if it is not known whether the change helped. */
function foundWords({ figures }: Change): string {
  const found = foundAt(figures);
  return found === undefined ? '' : `found on ${dayAndMonth(found)}`;
}

/** Undefined without an interval. */
function markOfChange(change: Change): ForestMark | undefined {
  const { difference_percentage_points: difference, difference_interval_99: interval } =
    change.figures.horizons[MAIN_HORIZON];
  if (interval === null) return undefined;
  return { verdict: colourOf(change), median: difference, interval };
}

/** What to do now, the figures of the cards before and after the change, and what they are compared with. */
function detailsOfChange({ figures, sides, silence }: Change): Markup | false {
  const { controls, left_out: leftOut } = figures;
  const lines: Fact[] = [];
  if (sides !== undefined) {
    const { before, after } = sides;
    // Until when to keep new settings, the line Change says at the top of the page.
    const whatToDo = whatToDoNow(figures, { ...sides, keptUntil: undefined }, silence);
    if (whatToDo !== '') lines.push(['Now', whatToDo]);
    const settingsAfter = settingsChange(before.settings, after.settings);
    lines.push(
      // Only *After* lists settings: those that differ from before.
      ['Before', sideWords(before, controls)],
      ['After', `${sideWords(after, controls)}: ${settingsAfter}`],
    );
  }
  const isCompared = sides === undefined || hasBothSides(sides);
  if (isCompared) lines.push(['Compared with', controlsOf(controls)]);
  if (isCompared && leftOut.length > 0) lines.push(['Left out', leftOutNames(leftOut)]);
  return facts(lines);
}

/** What the cards of both times are compared with: `pump, dump`. */
function controlsOf(controls: readonly string[]): string {
  return controls.length === 0 ? 'BTC alone' : controls.map(label).join(', ');
}

/** `−1.20 pp vs 2 types, 5.0 cards a day, 143 outcomes` */
function sideWords(side: SettingsSide, controls: readonly string[]): string {
  const { vsControls, perDay, sample } = side;
  const whom = controls.length === 0 ? 'BTC' : pluralize(controls.length, 'type');
  const parts: string[] = [];
  if (vsControls !== null) parts.push(`${signedFigure(vsControls)} pp vs ${whom}`);
  if (perDay !== undefined) parts.push(`${perDay.toFixed(1)} cards a day`);
  parts.push(pluralize(sample, 'outcome'));
  return parts.join(', ');
}
