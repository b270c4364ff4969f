export interface Circumstances extends ErrorOptions {
  readonly timedOut?: true;
  /** What the user can do, where another attempt would fail likewise. */
  readonly remedy?: string | undefined;
}

class NoAnswer extends Error {
  readonly circumstances: Circumstances;
  constructor(message: string, circumstances: Circumstances = {}) {
    super(message, circumstances);
    this.circumstances = circumstances;
  }
}

/** The request never left this machine (DNS, refused, TLS): no credit can be spent. */
export class NotSent extends NoAnswer {
  override readonly name = 'NotSent';
}

/** The request left, but no complete answer came back (timeout, reset, truncated): its credit may be spent. */
export class AnswerLost extends NoAnswer {
  override readonly name = 'AnswerLost';
}
