/** `--where 'FIELD>=NUMBER'`: which cards of a history are meant, by any number they carry. */
import * as v from 'valibot';
import { usageError } from '../../errors.ts';
import { didYouMean, type PlainObject, read } from '../../output/fields.ts';
import type { OptionDeclaration } from './option.ts';

const SIGNS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '=': (value, limit) => value === limit,
};

export interface Condition {
  readonly text: string;
  readonly field: string;
  readonly holds: (card: object) => boolean;
}

/** A name may hold any sign: the last comparison with a number counts. */
const CONDITION = /^(.*?[^<>=\s])\s*(>=|<=|>|<|=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)$/s;

export const WHERE = {
  flags: '--where <condition>',
  about: "only cards with, for example, 'entry_context.funding>=0.0002' (also <=, >, <, =); repeatable, all must hold",
  schema: v.pipe(
    v.string(),
    v.regex(CONDITION, ({ input }) =>
      /\d%$/.test(input)
        ? `takes a number without a sign behind it, not '${input}'.\nFor a fraction as funding, 0.01% is 0.0001.`
        : `takes FIELD>=NUMBER (also <=, >, <, =), not '${input}'.\nFor example --where 'entry_context.funding>=0.0002'; the quotes keep the shell from reading the sign.`,
    ),
    v.examples(['entry_context.funding>=0.0002', 'fact_oi_usd>1e8']),
    v.transform((text): Condition => {
      const [, field = '', sign = '', limit] = CONDITION.exec(text) ?? [];
      const holds = (card: object) => {
        const value = read(card as PlainObject, field);
        return typeof value === 'number' && SIGNS[sign]?.(value, Number(limit)) === true;
      };
      return { text, field, holds };
    }),
  ),
  repeatable: true,
} as const satisfies OptionDeclaration;

export const CONTEXT = 'entry_context.';

/** @throws ScreenerError usage */
export async function checkWhere(where: readonly Condition[] = []): Promise<void> {
  if (where.length === 0) return;
  const { detailFields } = await import('../../output/views/card-fields.ts');
  const names = detailFields.filter(({ kind }) => kind === 'integer' || kind === 'number').map(({ name }) => name);
  const strange = where.find(({ field }) => !names.includes(field) && !field.startsWith(CONTEXT));
  if (strange === undefined) return;
  const { field } = strange;
  const guess = didYouMean(field, names) || (field.includes('.') ? '' : ` Did you mean '${CONTEXT}${field}'?`);
  throw usageError(
    `--where: a card has no number called '${field}'.${guess}`,
    `A number at the trigger is ${CONTEXT}NAME; \`screener help fields signals show\` lists the other numbers.`,
  );
}

/** Whoever chooses cards by what came later chooses the outcome. @throws ScreenerError usage */
export async function checkKnownAtTrigger(where: readonly Condition[] = []): Promise<void> {
  await checkWhere(where);
  const later = where.find(({ field }) => !field.startsWith(CONTEXT) && field !== 'outcome.entry_price');
  if (later === undefined) return;
  const why = later.field.startsWith('fact_')
    ? 'facts are of the latest update of a card, not of its trigger'
    : 'it was not known at the trigger';
  throw usageError(
    `--where ${later.field}: ${why}. Figures of cards chosen by it would mislead.`,
    `Choose by a number at the trigger, for example --where '${CONTEXT}funding>=0.0002'.`,
  );
}
