import { hindranceOf } from '../../outcomes/focus.ts';
import { type LastChange, type Standing, sendsCards } from '../../outcomes/standing.ts';
import type { Cut } from '../../outcomes/tune-types.ts';
import type { ComparedWith } from '../../outcomes/types.ts';
import { asSentence } from '../format.ts';
import { isEffectTold } from './change-words.ts';
import { type SectionName, sectionNameOf, sectionsOf } from './sections.ts';
import { silenceText } from './verdict-wait.ts';

/**
 * What to do with a type.
 * - `keep`, `drop`: sure.
 * - `doubt`: above the others, but newer cards show less; it may have stopped working.
 * - `keep_for_now`: what is known is no reason to drop it.
 * - `may_drop`: below in one comparison. Until the other is known, too, it is kept.
 * - `loosen`: it sends no cards, or has sent none for unusually long: its settings are to be looked at.
 * - `none`: BTC itself, and a type that is switched off or removed.
 */
export type Role = 'keep' | 'doubt' | 'keep_for_now' | 'may_drop' | 'drop' | 'loosen' | 'none';

/** What a section of the ranking means for its types. */
interface Meaning {
  readonly role: Role;
  /** The differences that are the reason. */
  readonly reasons: readonly ComparedWith[];
}

/** One line for each section: a new section does not compile until a line says what to do with its types. */
const MEANINGS: Readonly<Record<SectionName, Meaning>> = {
  keep: { role: 'keep', reasons: ['others'] },
  may_have_stopped: { role: 'doubt', reasons: [] },
  ahead_of_btc: { role: 'keep', reasons: ['btc'] },
  drop: { role: 'drop', reasons: ['others', 'btc'] },
  behind_others: { role: 'keep_for_now', reasons: ['others'] },
  behind_btc: { role: 'drop', reasons: ['btc'] },
  small: { role: 'keep_for_now', reasons: [] },
  no_longer_sure: { role: 'keep_for_now', reasons: [] },
  open: { role: 'keep_for_now', reasons: [] },
  silent: { role: 'loosen', reasons: [] },
  btc_itself: { role: 'none', reasons: [] },
};

/** A difference that is a reason. */
export interface Reason {
  readonly comparedWith: ComparedWith;
  /** Percentage points. */
  readonly points: number;
}

/** A type, and why its role is what it is. */
export interface TypeAction {
  readonly type: string;
  readonly section: SectionName;
  readonly reasons: readonly Reason[];
  readonly standing: Standing;
}

/** A stricter setting to try. */
export interface Suggestion {
  readonly cut: Cut;
  /** The setting that it probably is: `probably oi min, now 2.8`; empty if it is not clear which. */
  readonly setting: string;
  /** The command line that shows more; empty if there is none. */
  readonly command: string;
}

/** The last change of a type's settings. */
export interface ChangeAction extends LastChange {
  readonly type: string;
}

/** What to change in settings. */
export interface SettingsActions {
  /** The changes whose effect was found in the last days, and those that did harm, until they are undone (`isEffectTold`). */
  readonly known: readonly ChangeAction[];
  /**
   * The changes whose effect is not known yet, and whose settings are to be kept until then. Left out are types that send no
   * cards, and types with a suggestion.
   */
  readonly open: readonly ChangeAction[];
  readonly suggestions: readonly Suggestion[];
  /** Types that are switched on and send no cards, or have a long pause, without those that are to be dropped. */
  readonly silent: readonly Standing[];
  /** Whether stricter settings were looked for. If none was found, pages can then say so. */
  readonly areSettingsSearched: boolean;
}

export interface Actions {
  /** The types of each role, in the order of the ranking. */
  readonly types: Readonly<Record<Role, readonly TypeAction[]>>;
  /** Undefined if the question is not one of whole types: what to change is not asked then. */
  readonly settings: SettingsActions | undefined;
  /** In the order of the ranking. */
  readonly standings: readonly Standing[];
}

/** What was found of stricter settings. */
export type SettingsSearch = Pick<SettingsActions, 'suggestions' | 'areSettingsSearched'>;

/**
 * @param standings one for each type
 * @param search undefined if the question is not one of whole types
 */
export function actionsOf(
  standings: readonly Standing[],
  search: SettingsSearch | undefined,
): Actions {
  const types: Record<Role, TypeAction[]> = {
    keep: [],
    doubt: [],
    keep_for_now: [],
    may_drop: [],
    drop: [],
    loosen: [],
    none: [],
  };
  const inOrder: Standing[] = [];
  for (const { name: section, standings: members } of sectionsOf(standings)) {
    for (const standing of members) {
      inOrder.push(standing);
      const reasons = reasonsOf(standing, section);
      types[roleOf(standing, section)].push({ type: standing.group, section, reasons, standing });
    }
  }
  return { types, settings: search && settingsActions(inOrder, search), standings: inOrder };
}

/** The roles of types that are not to be dropped. */
const KEPT: ReadonlySet<Role> = new Set(['keep', 'doubt', 'keep_for_now', 'may_drop']);

/** A type that sends no cards is not advised to be kept, but `loosen`: the line Change says to check its settings. */
function roleOf(standing: Standing, section: SectionName): Role {
  if (standing.off !== undefined) return 'none';
  const role = roleOfSending(standing, section);
  return standing.silentDays !== undefined && KEPT.has(role) ? 'loosen' : role;
}

/** The role of a type, if it sends cards. */
function roleOfSending(standing: Standing, section: SectionName): Role {
  if (mayBeToDrop(standing, section)) return 'may_drop';
  return isForNow(standing, section) ? 'keep_for_now' : MEANINGS[section].role;
}

/** Whether a type is below in one comparison, and the other one is not known yet. */
function mayBeToDrop(
  { verdict, verdictVsBtc, comparedWith }: Standing,
  section: SectionName,
): boolean {
  switch (section) {
    // Below the others: the comparison with BTC is the other one.
    case 'behind_others':
      return verdictVsBtc !== 'above' && verdictVsBtc !== 'small';
    // Below BTC: the comparison with the others is the other one, if there is one.
    case 'behind_btc':
      return comparedWith === 'others' && verdict !== 'small';
    default:
      return false;
  }
}

/**
 * Whether a type that is above or below BTC is only kept for now, because of how it stands to the others. If it is above BTC,
 * that is not known yet. If it is below BTC, its difference to the others is small: `mayBeToDrop` has answered for all other
 * types below BTC.
 */
function isForNow({ verdict, comparedWith }: Standing, section: SectionName): boolean {
  if (comparedWith === 'btc') return false;
  return section === 'behind_btc' || (section === 'ahead_of_btc' && verdict !== 'small');
}

/** Whether the line Drop names a type as one that is surely to be dropped. */
export function isToDrop(standing: Standing): boolean {
  return roleOf(standing, sectionNameOf(standing)) === 'drop';
}

/** What to do about a type that is switched on and sends no cards: in sentences. */
export function adviceOnSilence(standing: Standing): string {
  if (isToDrop(standing)) return 'It is worth dropping: switch it off.';
  return 'Check its settings: loosen them, or switch it off.';
}

/** The same if no type sends cards: their settings are hardly the reason. */
export const ADVICE_IF_ALL_ARE_SILENT = 'Perhaps the service sends none: check your account there.';

/** `No card for 13 days. Check its settings: loosen them, or switch it off.` Empty if it sends cards as usual, or is switched off. */
export function silenceSentences(standing: Standing): string {
  const days = standing.silentDays;
  return days === undefined ? '' : `${asSentence(silenceText(days))} ${adviceOnSilence(standing)}`;
}

function reasonsOf({ base }: Standing, section: SectionName): Reason[] {
  const reasons: Reason[] = [];
  for (const comparedWith of MEANINGS[section].reasons) {
    const points = comparedWith === 'others' ? base.vsOthers : base.vsBtc;
    if (points !== null) reasons.push({ comparedWith, points });
  }
  return reasons;
}

function settingsActions(
  standings: readonly Standing[],
  { suggestions, areSettingsSearched }: SettingsSearch,
): SettingsActions {
  // "Keep its settings" and "check its settings" exclude each other: for a type without cards only the second is said.
  const changes = standings
    .filter(sendsCards)
    .map(changeOf)
    .filter((change) => change !== undefined);
  const unhindered = standings.filter((standing) => hindranceOf(standing) === undefined);
  const typesToTry = new Set(unhindered.map(({ group }) => group));
  const advices = suggestions.filter(({ cut }) => typesToTry.has(cut.type));
  const advised = new Set(advices.map(({ cut }) => cut.type));
  return {
    known: changes.filter(isEffectTold),
    // "Keep its settings" and "act only on cards with" exclude each other, too: for a type with a suggestion, that alone is said.
    open: changes.filter(({ type, keptUntil }) => keptUntil !== undefined && !advised.has(type)),
    suggestions: advices,
    silent: standings.filter(
      (standing) => standing.silentDays !== undefined && !isToDrop(standing),
    ),
    areSettingsSearched,
  };
}

function changeOf({ group: type, change }: Standing): ChangeAction | undefined {
  return change === undefined ? undefined : { type, ...change };
}

/**
 * Until when the settings of a type are to be kept, because it is not known yet what their last change did, epoch milliseconds UTC.
 * Undefined if they need not be kept, or if the type sends no cards: then its settings are to be looked at.
 */
export function settingsKeptUntil(standing: Standing): number | undefined {
  return sendsCards(standing) ? standing.change?.keptUntil : undefined;
}
