/** Characters. A shorter text is no secret: to hide it would garble words that merely hold it. */
const SHORTEST = 8;

/** Texts that no note, warning or error may show, should the service send them back. */
export class Secrets {
  readonly #spellings = new Set<string>();

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    // A bearer token (RFC 6750, 2.1) has no characters that JSON or a shell would spell in another way.
    for (const spelling of [secret, encodeURIComponent(secret)]) this.#spellings.add(spelling);
  }

  /** The text with `[key]` in place of every secret, as it is or as a URL spells it. */
  hide(text: string): string {
    let hidden = text;
    for (const spelling of this.#spellings) hidden = hidden.replaceAll(spelling, '[key]');
    return hidden;
  }
}
