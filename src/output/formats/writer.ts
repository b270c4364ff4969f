/** Hands text to standard output; rejects with `OutputClosed` when the reader is gone. */
export type Writer = (text: string) => Promise<void>;
