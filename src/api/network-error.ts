import { ScreenerError } from '../errors.ts';
import type { AnswerLost, NotSent } from './transport-errors.ts';

/** The request never left this machine. */
export function notSentError(cause: NotSent): ScreenerError {
  return new ScreenerError(cause.timedOut ? 'timeout' : 'network', `The service cannot be reached: ${cause.message}`, {
    hint: 'Nothing was sent and no credit was spent. Check the base URL, the network and the proxy variables.',
    cause,
  });
}

/** @param cost credits of the operation: they may be spent */
export function answerLostError(cause: AnswerLost, cost: number): ScreenerError {
  return new ScreenerError(cause.timedOut ? 'timeout' : 'network', `The answer was lost. ${cause.message}`, {
    hint:
      cost === 0
        ? 'Try again; --timeout gives a slow connection more time.'
        : `The request had left, so ${cost === 1 ? '1 credit' : `${cost} credits`} may be spent: \`screener access\` shows it for 0 credits.`,
    cause,
  });
}
