import type { CreditsKnown } from '../credits/account.ts';
import type { Spending } from '../credits/usage.ts';
import { pluralize } from '../runtime/units.ts';

/** What an invocation cost and what is left; empty if nothing billable was sent. @param spent '' behind a label */
export function spentSentence(
  { charged, uncertain }: Spending,
  { dayLeft, monthLeft, isRefused }: Pick<CreditsKnown, 'dayLeft' | 'monthLeft' | 'isRefused'>,
  spent = ' spent',
): string {
  if (charged + uncertain === 0) return '';
  const month = monthLeft === undefined ? '' : `, ${monthLeft} this month`;
  const left = isRefused ? '.' : `; ${dayLeft} left today${month}.`;
  if (charged === 0) return `0 credits${spent}, up to ${uncertain} if failed requests count${left}`;
  return `${pluralize(charged, 'credit')}${spent}${uncertain === 0 ? '' : `, up to ${uncertain} more if failed requests count`}${left}`;
}

export function demoSentence({ charged }: Pick<Spending, 'charged'>): string {
  return `Demo: invented data, no key${charged === 0 ? '' : `; this would cost ${pluralize(charged, 'credit')}`}.`;
}
