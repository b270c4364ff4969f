/** Characters: hiding a shorter text would garble words that merely hold it. */
const SHORTEST = 8;

/** Texts that no note, warning or error may show, should the service send them back. */
export class Secrets {
  readonly #spellings = new Set<string>();

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    for (const spelling of [secret, encodeURIComponent(secret)]) this.#spellings.add(spelling);
  }

  hide(text: string): string {
    let hidden = text;
    for (const spelling of this.#spellings) hidden = hidden.replaceAll(spelling, '[key]');
    return hidden;
  }
}
