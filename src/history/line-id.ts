const START = Buffer.from('{"id":');
const KEY = Buffer.from('"id"');
const BACKSLASH = 92;

/**
 * The id of a line without reading the rest of it; undefined where the line holds no card.
 *
 * The short way is taken only where it cannot differ from `JSON.parse`: the line begins with `{"id":` and whole digits,
 * has no second `"id"` (which might be the same key again) and no backslash (which might spell one).
 */
export function lineId(text: Buffer): number | undefined {
  return quickId(text) ?? parsedId(text);
}

function quickId(text: Buffer): number | undefined {
  if (text.length < START.length + 2 || text.compare(START, 0, START.length, 0, START.length) !== 0) return undefined;
  let id = 0;
  let at = START.length;
  for (; at < text.length; at += 1) {
    const digit = (text[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    id = id * 10 + digit;
  }
  // Up to 15 digits every step above is exact. A line that was cut off does not end like an object.
  const digits = at - START.length;
  const isWhole = digits > 0 && digits <= 15 && text[at] === 44 && text[text.length - 1] === 125;
  if (!isWhole || text[START.length] === 48) return undefined;
  if (text.indexOf(KEY, at) !== -1 || text.includes(BACKSLASH)) return undefined;
  return id;
}

function parsedId(text: Buffer): number | undefined {
  try {
    const id = JSON.parse(text.toString('utf8'))?.id;
    return Number.isSafeInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
