/** Text from the network, made safe to look at: `safeText` for people, `escapeJson` for JSON. */

/** A text of printable ASCII: nothing in it can do harm. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * A text that is safe to look at. A character that could act on a terminal, reorder or hide its neighbours, or start a new
 * line becomes a visible escape: `\n`, `\t`, `\u001b`, `\u202e`.
 * @param value a value that is no string is turned into one
 */
export function safeText(value: unknown): string {
  const text = typeof value === 'string' ? value : String(value);
  if (PLAIN.test(text)) return text;
  return replaceHidden(text, visible);
}

/**
 * The text with a replacement for each character that acts on a terminal, reorders its neighbours or shows nothing. Emoji
 * lose the characters that only change their look.
 */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  // The patterns are not constants: V8 takes a millisecond to compile them, and most runs need none of them.
  return (
    text
      // A joiner within an emoji only merges pictures; most terminals draw them side by side anyway.
      .replace(
        /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu,
        '',
      )
      // Variation selectors, skin tones and keycaps choose a glyph; terminals disagree on the width that results.
      .replace(
        /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=\p{Emoji_Modifier_Base}\ufe0f?)\p{Emoji_Modifier}|(?<=[\d#*]\ufe0f?)\u20e3/gu,
        '',
      )
      // Control (C0, DEL, C1), format (bidi, zero-width, tags), line and paragraph separators, lone surrogates, fillers.
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, replacement)
  );
}

/** The characters that JSON has short escapes for. */
const VISIBLE: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visible(character: string): string {
  const shortEscape = VISIBLE[character];
  if (shortEscape !== undefined) return shortEscape;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unicodeEscape(code);
}

/** Finds DEL and everything that is not ASCII. */
const ABOVE_ASCII = /[^\x00-\x7e]/;

/**
 * The same JSON document in a text that is harmless on a terminal. `JSON.stringify` leaves some characters as they are
 * although a terminal acts on them or hides them (DEL, C1, bidi, zero-width and all that show nothing): here they become
 * `\uXXXX`. In JSON they occur only within strings, where `\uXXXX` means the same character.
 */
export function escapeJson(json: string): string {
  if (!ABOVE_ASCII.test(json)) return json;
  return json.replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    escapeUnits,
  );
}

/** Each UTF-16 unit of the text as `\uXXXX`. */
export function escapeUnits(text: string): string {
  let escaped = '';
  for (let i = 0; i < text.length; i++) escaped += unicodeEscape(text.charCodeAt(i));
  return escaped;
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
