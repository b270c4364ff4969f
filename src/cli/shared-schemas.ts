/** A shorter part is not worth a reference. */
const WORTH = 80;

/**
 * A document whose parts that occur several times stand once, in `$defs`, and are referred to: a program that reads it
 * pays for each word. Only objects that say their `type` are schemas, and taken out.
 */
export function sharedOnce(document: object): object {
  const plain = JSON.parse(JSON.stringify(document)) as unknown;
  const counts = new Map<string, number>();
  count(plain, counts);
  const names = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  const replaced = replace(plain, true);
  return { ...(replaced as object), ...(names.size === 0 ? {} : { $defs: defs }) };

  function replace(part: unknown, isRoot = false): unknown {
    const text = isRoot ? undefined : schemaText(part);
    if (text === undefined || (counts.get(text) ?? 0) < 2) return within(part);
    const known = names.get(text);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = `s${names.size + 1}`;
    names.set(text, name);
    defs[name] = within(part);
    return { $ref: `#/$defs/${name}` };
  }

  function within(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((one) => replace(one));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replace(value)]));
  }
}

/** What occurs within a part that is shared already counts once. */
function count(part: unknown, counts: Map<string, number>): void {
  if (typeof part !== 'object' || part === null) return;
  const text = schemaText(part);
  if (text !== undefined) {
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    if (before > 0) return;
  }
  for (const value of Object.values(part)) count(value, counts);
}

function schemaText(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('type' in part)) return undefined;
  const text = JSON.stringify(part);
  return text.length < WORTH ? undefined : text;
}
