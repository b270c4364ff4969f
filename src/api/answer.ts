import { badAnswer } from './bad-answer.ts';
import { readEnvelope } from './body.ts';
import { inflate } from './content-encoding.ts';
import type { RawAnswer } from './transport.ts';

/** Enough characters for any sentence of the service; a megabyte would bury what the program has to say itself. */
const LONGEST_QUOTE = 1000;

/** Takes the key out of a text of the service, which may repeat it. Before the text is cut: half a key is one too. */
type Conceal = (text: string) => string;

/**
 * The resource in an answer of status 200.
 * @throws ScreenerError bad_answer
 */
export async function resourceOf(answer: RawAnswer, conceal: Conceal): Promise<object> {
  const envelope = readEnvelope(await inflate(answer));
  if (envelope.hasError) {
    const said = envelope.errors ? `. The service said: ${quoted(conceal(envelope.errors))}` : '';
    throw badAnswer(`status 200, but hasError is true${said}`, { status: 200 });
  }
  if (envelope.response === null) throw badAnswer('response is null where a resource belongs', { status: 200 });
  return envelope.response;
}

/**
 * The service's own text in an answer of another status.
 * @returns undefined where the body is no Envelope: the status alone has then said what happened
 */
export async function errorTextOf(answer: RawAnswer, conceal: Conceal): Promise<string | undefined> {
  try {
    const { errors } = readEnvelope(await inflate(answer));
    return errors === null ? undefined : quoted(conceal(errors));
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
