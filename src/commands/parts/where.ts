/** `--where 'FIELD>=NUMBER'` chooses cards of a history by any number that they carry. */
import * as v from 'valibot';
import { usageError } from '../../errors.ts';
import type { Filter, History } from '../../history/store/history.ts';
import { numberAt, type Row } from '../../outcomes/row.ts';
import { type PlainObject, read } from '../../output/fields.ts';
import type { OptionDeclaration } from './option.ts';

const CONTEXT = 'entry_context.';
const PRICE = 'outcome.entry_price';

const SIGNS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '=': (value, limit) => value === limit,
};

export interface Condition {
  readonly text: string;
  /** Without the bars of `|name|`, which mean its size. */
  readonly field: string;
  /** The field's name at the trigger, without `entry_context.`. */
  readonly numberName: string;
  readonly holds: (card: object) => boolean;
  /** As `holds`, but by what was known at the trigger alone. */
  readonly holdsOf: (row: Row) => boolean;
}

export type CardFilter = Omit<Filter, 'where'> & {
  readonly where?: readonly Condition[] | undefined;
};

/** `from`: how the history was named; undefined for the default one. */
export type OfHistory = CardFilter & Readonly<{ history: History; from?: string | undefined }>;

const EXAMPLE =
  "For example --where 'funding>=0.0002', in quotes because of the shell; 0.01% is 0.0001.";

/** A name may hold any sign: the last comparison with a number counts. */
const CONDITION = /^(.*?[^<>=\s])\s*(>=|<=|>|<|=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)$/s;

export const WHERE = {
  flags: '--where <condition>',
  about:
    "only cards with, for example, 'funding>=0.0002' (also <=, >, <, =); repeatable, all must hold",
  schema: v.pipe(
    v.string(),
    v.regex(
      CONDITION,
      ({ input }) => `takes FIELD>=NUMBER (also <=, >, <, =), not '${input}'.\n${EXAMPLE}`,
    ),
    v.examples(['funding>=0.0002', 'fact_oi_usd>1e8']),
    v.transform((text): Condition => {
      const [, named = '', sign = '', limit] = CONDITION.exec(text) ?? [];
      const [, field = named] = /^\|(.+)\|$/s.exec(named) ?? [];
      const isAbsolute = field !== named;
      const numberName = field.startsWith(CONTEXT) ? field.slice(CONTEXT.length) : field;
      const compare = SIGNS[sign];
      const isMet = (value: unknown) => {
        if (typeof value !== 'number' || compare === undefined) return false;
        return compare(isAbsolute ? Math.abs(value) : value, Number(limit));
      };
      const holds = (card: object) => {
        const value = read(card as PlainObject, field);
        return isMet(value ?? read(card as PlainObject, CONTEXT + numberName));
      };
      const holdsOf = (row: Row) =>
        isMet(field === PRICE ? row.entryPrice : numberAt(row, numberName));
      return { text, field, numberName, holds, holdsOf };
    }),
  ),
  repeatable: true,
} as const satisfies OptionDeclaration;

/** The fields of a card, and whether each is a number. Any other name is taken for a number at the trigger. */
export async function fieldsOfCards(): Promise<ReadonlyMap<string, boolean>> {
  const { detailFields } = await import('../../output/views/card-lists.ts');
  return new Map(detailFields.map(({ name, kind }) => [name, kind === 'number']));
}

const NUMBERS =
  '`screener help fields signals show` lists the numbers; `screener tune --detail` those at the trigger.';
const AT_TRIGGER = "Choose by a number at the trigger, for example --where 'funding>=0.0002'.";

/**
 * @param isOfFigures whether figures are made of the cards. Then only what was known at the trigger may choose them: what
 * came later would choose the outcome.
 * @throws ScreenerError usage
 */
export async function checkWhere(
  where: readonly Condition[] = [],
  isOfFigures = false,
): Promise<void> {
  const fields = where.length === 0 ? new Map<string, boolean>() : await fieldsOfCards();
  for (const { field } of where) {
    if (fields.get(field) === false)
      throw usageError(`--where: '${field}' of a card is no number.`, NUMBERS);
    const isKnownAtTrigger = field === PRICE || !fields.has(field);
    if (!isOfFigures || isKnownAtTrigger) continue;
    const why = field.startsWith('fact_')
      ? 'facts are of the latest update of a card, not of its trigger'
      : 'it is no number known at the trigger';
    throw usageError(
      `--where ${field}: ${why}. Figures of cards chosen by it would mislead.`,
      AT_TRIGGER,
    );
  }
}
