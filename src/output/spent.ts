import type { Spending } from '../credits/usage.ts';
import { pluralize } from '../runtime/pluralize.ts';

/** Credits left, as far as this machine knows; `month` is undefined where `/access` was not asked this month. */
interface Left {
  readonly day: number;
  readonly month: number | undefined;
}

/** What an invocation cost and what is left, in a sentence; empty where nothing billable was sent. */
export function spentSentence({ charged, uncertain }: Spending, { day, month }: Left): string {
  if (charged + uncertain === 0) return '';
  const left = `; ${day} left today${month === undefined ? '' : `, ${month} this month`}.`;
  if (charged === 0) return `0 credits spent, up to ${uncertain} if failed requests count${left}`;
  const spent = pluralize(charged, 'credit');
  return `${spent} spent${uncertain === 0 ? '' : `, up to ${uncertain} more if failed requests count`}${left}`;
}

export function demoSentence({ charged }: Pick<Spending, 'charged'>): string {
  return `Demo: invented data, no key${charged === 0 ? '' : `; this would cost ${pluralize(charged, 'credit')}`}.`;
}
