interface Circumstances extends ErrorOptions {
  readonly timedOut?: boolean;
  /** What the user can do, where another attempt would fail likewise. */
  readonly remedy?: string | undefined;
}

/** No complete answer came (DNS, refused, TLS, timeout, reset). */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly timedOut: boolean;
  readonly remedy: string | undefined;
  /** The client says whether the request had left: then a credit may be spent. */
  hasLeft = false;

  constructor(message: string, { timedOut = false, remedy, cause }: Circumstances) {
    super(message, { cause });
    this.timedOut = timedOut;
    this.remedy = remedy;
  }
}
