import type { Spending } from '../credits/types.ts';
import { pluralize } from '../runtime/pluralize.ts';

/** What an invocation cost, in a sentence; empty where nothing billable was sent. */
export function spentSentence({ charged, uncertain }: Spending): string {
  if (charged + uncertain === 0) return '';
  if (charged === 0) return `No credit spent for certain, up to ${uncertain} if failed requests count.`;
  const spent = `${charged} ${charged === 1 ? 'credit' : 'credits'} spent`;
  return uncertain === 0 ? `${spent}.` : `${spent}, up to ${uncertain} more if failed requests count.`;
}

/** The same for --demo: what it would have cost. */
export function demoSentence({ charged }: Pick<Spending, 'charged'>): string {
  return `Demo: invented data, no key${charged === 0 ? '' : `; this would cost ${pluralize(charged, 'credit')}`}.`;
}
