/** The request never left this machine (DNS, refused, TLS): no credit can be spent. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly timedOut: boolean;
  constructor(message: string, cause?: unknown, timedOut = false) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** The request left, but no complete answer came back (timeout, reset, truncated): its credit may be spent. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  readonly timedOut: boolean;
  constructor(message: string, cause?: unknown, timedOut = false) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** The answer was cut off at the cap: it does not match the document. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
