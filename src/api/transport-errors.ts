/** No answer came back; `timedOut` where the time limit was the reason. */
class NoAnswer extends Error {
  readonly timedOut: boolean;
  constructor(message: string, cause?: unknown, timedOut = false) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** The request never left this machine (DNS, refused, TLS): no credit can be spent. */
export class NotSent extends NoAnswer {
  override readonly name = 'NotSent';
  /** What the user can do, where another attempt would fail likewise. */
  readonly remedy: string | undefined;
  /** This machine is at fault, not the network. */
  readonly isLocal: boolean;

  constructor(
    message: string,
    cause?: unknown,
    {
      timedOut = false,
      remedy,
      isLocal = false,
    }: { timedOut?: boolean; remedy?: string | undefined; isLocal?: boolean } = {},
  ) {
    super(message, cause, timedOut);
    this.remedy = remedy;
    this.isLocal = isLocal;
  }
}

/** The request left, but no complete answer came back (timeout, reset, truncated): its credit may be spent. */
export class AnswerLost extends NoAnswer {
  override readonly name = 'AnswerLost';
  /** Not a byte of an answer came, over a connection that another request had used before. */
  readonly onUsedConnection: boolean;

  constructor(message: string, cause?: unknown, timedOut = false, onUsedConnection = false) {
    super(message, cause, timedOut);
    this.onUsedConnection = onUsedConnection;
  }
}

/** The answer was cut off at the cap: it does not match the document. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
