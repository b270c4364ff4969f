/** `--where 'FIELD>=NUMBER'`: which cards of a history are meant, by any number they carry. */
import * as v from 'valibot';
import { usageError } from '../errors.ts';
import { didYouMean } from '../output/fields.ts';
import { type PlainObject, read } from '../output/paths.ts';
import type { OptionDeclaration } from './option.ts';

const SIGNS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
  '=': (value: number, limit: number) => value === limit,
} as const;

export interface Condition {
  /** As it was typed. */
  readonly text: string;
  /** A dotted name. */
  readonly field: string;
  /** Whether a card has a number there, and it is such a one. */
  readonly holds: (card: object) => boolean;
}

/** A name may hold any sign: the last comparison with a number counts. */
const CONDITION = /^(.*?[^<>=\s])\s*(>=|<=|>|<|=)\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)$/s;

const LONGEST = 300;

const malformed = ({ input }: { readonly input: unknown }) =>
  `takes FIELD>=NUMBER (also <=, >, <, =), not '${input}'.\nFor example --where 'entry_context.funding>=0.0002'; the quotes keep the shell from reading the sign.`;

const condition = v.pipe(
  v.string(),
  v.maxLength(LONGEST, malformed),
  v.regex(CONDITION, malformed),
  v.check((text) => Number.isFinite(limitOf(text)), malformed),
  v.examples(['entry_context.funding>=0.0002', 'fact_oi_usd>1e8']),
  v.transform((text): Condition => {
    const [, field = '', sign = '='] = CONDITION.exec(text) ?? [];
    const limit = limitOf(text);
    const compare = SIGNS[sign as keyof typeof SIGNS];
    return {
      text,
      field,
      holds: (card) => {
        const value = read(card as PlainObject, field);
        return typeof value === 'number' && compare(value, limit);
      },
    };
  }),
);

function limitOf(text: string): number {
  return Number(CONDITION.exec(text)?.[3]);
}

export const WHERE = {
  flags: '--where <condition>',
  about: "only where 'FIELD>=NUMBER' (also <=, >, <, =); repeatable, all must hold",
  schema: condition,
  repeatable: true,
} as const satisfies OptionDeclaration;

/** Before the keys of what was known at the trigger. */
export const CONTEXT = 'entry_context.';

/**
 * Of a list any number of a card may be asked for.
 * @throws ScreenerError usage
 */
export async function checkWhere(where: readonly Condition[] = []): Promise<void> {
  if (where.length === 0) return;
  const { detailFields } = await import('../output/views/card-fields.ts');
  const names = detailFields.filter(({ kind }) => kind === 'integer' || kind === 'number').map(({ name }) => name);
  for (const { field } of where) {
    if (names.includes(field) || field.startsWith(CONTEXT)) continue;
    throw usageError(
      `--where: a card has no number called '${field}'.${didYouMean(field, names)}`,
      `What was known at the trigger is ${CONTEXT}KEY, for example ${CONTEXT}funding; the others: ${names.join(', ')}.`,
    );
  }
}

/**
 * For figures cards are chosen only by what was known at the trigger: whoever chooses by what came later chooses the
 * outcome.
 * @throws ScreenerError usage
 */
export function checkKnownAtTrigger(where: readonly Condition[] = []): void {
  for (const { field } of where) {
    if (field.startsWith(CONTEXT) || field === 'outcome.entry_price') continue;
    const why = field.startsWith('fact_')
      ? 'facts are of the latest update of a card, not of its trigger'
      : field === 'repeat_count'
        ? 'how often a card is repeated is decided after its trigger'
        : field.startsWith('outcome.')
          ? 'an outcome comes after the trigger'
          : 'it was not known at the trigger';
    throw usageError(
      `--where ${field}: ${why}. Figures of cards chosen by it would mislead.`,
      `Choose by a number at the trigger, for example --where '${CONTEXT}funding>=0.0002'.`,
    );
  }
}
