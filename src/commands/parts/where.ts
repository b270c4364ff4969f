/** `--where 'FIELD>=NUMBER'` chooses cards of a history by any number that they carry. */
import * as v from 'valibot';
import { usageError } from '../../errors.ts';
import type { Filter, History } from '../../history/store/history.ts';
import { type HistoryCard, numberAt } from '../../outcomes/history-card.ts';
import { type PlainObject, read } from '../../output/fields.ts';
import type { OptionDeclaration } from './option.ts';

/** How the dotted name of a number at the trigger begins: `entry_context.funding`. */
export const CONTEXT = 'entry_context.';
/** A number that is known at the trigger, though it stands in the outcome. */
const ENTRY_PRICE = 'outcome.entry_price';

/** How each sign compares a value with the limit. */
const SIGNS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '=': (value, limit) => value === limit,
};

export interface Condition {
  /** The condition as it was typed. */
  readonly text: string;
  /** The dotted name of a field. Bars around it (`|funding|<=0.0002` compares without the sign) are left out. */
  readonly field: string;
  /** The name of a number at the trigger: `field` without `entry_context.`. */
  readonly numberName: string;
  /** Whether a value of the field meets the condition. */
  readonly isMet: (value: unknown) => boolean;
  /** Whether a card meets the condition. The field has to be one that was known at the trigger. */
  readonly isMetAtTrigger: (card: HistoryCard) => boolean;
}

export type CardFilter = Omit<Filter, 'where'> & {
  readonly where?: readonly Condition[] | undefined;
};

/** Which history, and which of its cards. */
export interface OfHistory extends CardFilter {
  readonly history: History;
  /** The folder as the user typed it; undefined for the default history. */
  readonly from?: string | undefined;
}

const EXAMPLE =
  "For example --where 'funding>=0.0002', in quotes because of the shell; 0.01% is 0.0001.";

/** A field's name may contain any character, also `<`. Only the last sign compares: a number follows it. */
const CONDITION = /^(.*?[^<>=\s])\s*(>=|<=|>|<|=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)$/s;

export const WHERE = {
  flags: '--where <condition>',
  about:
    "only cards with, for example, 'funding>=0.0002' (also <=, >, <, =); repeatable, all must hold",
  schema: v.pipe(
    v.string(),
    v.trim(),
    v.regex(
      CONDITION,
      ({ input }) => `takes FIELD>=NUMBER (also <=, >, <, =), not '${input}'.\n${EXAMPLE}`,
    ),
    v.examples(['funding>=0.0002', 'fact_oi_usd>1e8']),
    v.transform((text): Condition => {
      const [, name = '', sign = '', limit] = CONDITION.exec(text) ?? [];
      const nameInBars = /^\|(.+)\|$/s.exec(name)?.[1];
      const field = nameInBars ?? name;
      const isAbsolute = nameInBars !== undefined;
      const numberName = field.startsWith(CONTEXT) ? field.slice(CONTEXT.length) : field;
      const compare = SIGNS[sign];
      const isMet = (value: unknown) => {
        if (typeof value !== 'number' || compare === undefined) return false;
        return compare(isAbsolute ? Math.abs(value) : value, Number(limit));
      };
      const isMetAtTrigger = (card: HistoryCard) =>
        isMet(field === ENTRY_PRICE ? card.entryPrice : numberAt(card, numberName));
      return { text, field, numberName, isMet, isMetAtTrigger };
    }),
  ),
  repeatable: true,
} as const satisfies OptionDeclaration;

/** Whether a field of a card is a number, by the field's name. */
export async function fieldsOfCards(): Promise<ReadonlyMap<string, boolean>> {
  const { detailFields } = await import('../../output/views/card-lists.ts');
  return new Map(detailFields.map(({ name, kind }) => [name, kind === 'number']));
}

/**
 * The conditions as a list of cards takes them: each reads the field of its name. A name that is no field of cards is that of a
 * number at the trigger.
 */
export async function conditionsOfList(
  where: readonly Condition[] = [],
): Promise<NonNullable<Filter['where']>> {
  const fields = where.length === 0 ? new Map<string, boolean>() : await fieldsOfCards();
  return where.map(({ field, numberName, isMet }) => {
    const name = fields.has(field) ? field : CONTEXT + numberName;
    return { isMetByCard: (card) => isMet(read(card as PlainObject, name)) };
  });
}

const NUMBERS_HINT =
  '`screener help fields signals show` lists the numbers; `screener tune --detail` those at the trigger.';
const TRIGGER_HINT = "Choose by a number at the trigger, for example --where 'funding>=0.0002'.";

/**
 * Checks that each condition compares a number.
 * @param numbersAtTrigger reads the names of the numbers at the trigger. It is given if figures are worked out from the chosen
 *   cards. Then only what was known at the trigger may choose cards: to choose cards by what came later is to choose their outcomes.
 * @throws ScreenerError usage
 */
export async function checkWhere(
  where: readonly Condition[] = [],
  numbersAtTrigger?: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const fields = where.length === 0 ? new Map<string, boolean>() : await fieldsOfCards();
  for (const { field, text } of where) {
    if (fields.get(field) === false)
      throw usageError(`--where: '${field}' of a card is no number.`, NUMBERS_HINT);
    // A name that is no field of a card is taken for a number at the trigger.
    const isKnownAtTrigger = field === ENTRY_PRICE || !fields.has(field);
    if (numbersAtTrigger === undefined || isKnownAtTrigger) continue;
    const why = field.startsWith('fact_')
      ? 'facts are of the latest update of a card, not of its trigger'
      : 'it is no number known at the trigger';
    const hasNamesake = (await numbersAtTrigger()).has(field);
    const namesake = text.replace(field, () => CONTEXT + field);
    throw usageError(
      `--where ${field}: ${why}. Figures of cards chosen by it would mislead.`,
      hasNamesake ? `For the number at the trigger: --where '${namesake}'.` : TRIGGER_HINT,
    );
  }
}
