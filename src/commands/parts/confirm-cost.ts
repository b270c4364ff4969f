import { quote, type Work } from '../../credits/estimate.ts';
import { ScreenerError } from '../../errors.ts';
import type { Invocation } from './invocation.ts';

/** Credits: a command that may cost more is asked about. */
const ASKED_ABOVE = 10;

/**
 * --yes, --max-credits and scripts go on.
 * @param above credits
 * @returns whether it asked @throws ScreenerError budget_reached, if the answer is not yes; interrupted
 */
export async function confirmCost(
  { context, globals }: Invocation,
  work: readonly Work[],
  above = ASKED_ABOVE,
): Promise<boolean> {
  const { most } = quote(work, Number.POSITIVE_INFINITY).credits;
  const isTerminal = context.stdin.isTTY && context.stdout.isTTY && context.stderr.isTTY;
  if (most <= above || !isTerminal || globals.yes || globals.demo || globals.maxCredits !== undefined) return false;
  const price = Number.isFinite(most) ? `up to ${most} credits` : 'any number of credits (--max-credits sets a limit)';
  const { ask } = await import('./prompt.ts');
  const answer = await ask(context, `This may cost ${price}. Go on? [y/N] `, false);
  if (/^y(es)?$/i.test(answer.trim())) return true;
  throw new ScreenerError('budget_reached', 'Stopped, because the answer was not yes.', {
    hint: 'Add --yes to skip this question, or --max-credits N.',
  });
}
