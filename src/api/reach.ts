/** Whether a host can be reached, before it is sent anything. */
import { prepareForRequests } from '../runtime/engine.ts';
import { noAnswerError } from './failures.ts';
import { NoAnswer } from './no-answer.ts';
import { createTransport } from './transport.ts';

interface ReachOptions extends Pick<Parameters<typeof createTransport>[0], 'baseUrl' | 'env'> {
  /** Milliseconds, for the whole connection. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Ends the exchange when its request would leave. */
class Connected extends Error {}

/**
 * Connects to the service, through a proxy if there is one, and checks its certificate. Nothing is sent to the service.
 * @throws ScreenerError network, timeout, or the signal's reason
 */
export async function checkReachable({
  baseUrl,
  env,
  timeout,
  signal,
}: ReachOptions): Promise<void> {
  prepareForRequests();
  // The request never leaves, so that it needs neither a key nor a name of this program.
  const transport = createTransport({ baseUrl, env, key: '', userAgent: '' });
  const onLeaving = () => {
    throw new Connected();
  };
  try {
    await transport({ target: '', timeout, signal, onLeaving });
  } catch (error) {
    if (error instanceof Connected) return;
    throw error instanceof NoAnswer ? noAnswerError(error, 0) : error;
  }
}
