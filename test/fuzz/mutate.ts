/** JSON texts that went wrong: a tree with one or more of its nodes replaced, renamed, doubled or left out. */
import fc from 'fast-check';
import type { Json } from '../support/arbitrary.ts';

/** A place in a JSON text where anything may stand, also what no value can express. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Node = Json | Raw | Node[] | Members;
/** Members of an object; keys may repeat. */
class Members {
  readonly list: [string, Node][];
  constructor(list: [string, Node][]) {
    this.list = list;
  }
}

function toNode(value: Json): Node {
  if (Array.isArray(value)) return value.map(toNode);
  if (value !== null && typeof value === 'object') {
    return new Members(Object.entries(value).map(([key, inner]) => [key, toNode(inner as Json)]));
  }
  return value;
}

function toText(node: Node): string {
  if (node instanceof Raw) return node.text;
  if (node instanceof Members) return `{${node.list.map(([key, inner]) => `${JSON.stringify(key)}:${toText(inner)}`)}}`;
  if (Array.isArray(node)) return `[${node.map(toText).join(',')}]`;
  return Object.is(node, -0) ? '-0' : JSON.stringify(node);
}

/** A place below the root: how to read it and how to put something else there. */
interface Place {
  readonly container: Node[] | Members;
  readonly index: number;
}

function placesOf(node: Node): Place[] {
  const inner = node instanceof Members ? node.list.map(([, value]) => value) : Array.isArray(node) ? node : [];
  const container = node as Node[] | Members;
  return inner.flatMap((value, index) => [{ container, index }, ...placesOf(value as Node)]);
}

function put({ container, index }: Place, node: Node): void {
  if (container instanceof Members) (container.list[index] as [string, Node])[1] = node;
  else container[index] = node;
}

const nested = (depth: number, open: string, close: string) => new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`);

/** What may stand where something else belongs. */
const REPLACEMENTS: readonly (() => Node)[] = [
  () => null,
  () => true,
  () => '',
  () => '2026-11-20T18:00:00Z',
  () => '7',
  () => 'PRO',
  () => 0,
  () => -1,
  () => 1.5,
  () => 26,
  () => [],
  () => [null],
  () => new Members([]),
  () => new Members([['__proto__', new Members([['id', 1]])]]),
  () =>
    new Members([
      ['toString', 1],
      ['length', 3],
    ]),
  () => new Raw('1e999'),
  () => new Raw('-1e999'),
  () => new Raw('9007199254740993'),
  () => new Raw('-9007199254740993'),
  () => new Raw('123456789012345678901234567890'),
  () => new Raw('9007199254740992'),
  () => new Raw('1E400'),
  () => new Raw('NaN'),
  () => new Raw('undefined'),
  () => new Raw('01'),
  () => new Raw('"\\ud800"'),
  () => new Raw('"\\u0000"'),
  () => new Raw('"\u0000"'),
  () => new Raw("'x'"),
  () => new Raw(''),
  () => new Raw('"'),
  () => new Raw('{'),
  () => new Raw('/* */1'),
  () => nested(40, '[', ']'),
  () => nested(200, '[', ']'),
  () => nested(200, '{"a":', '}'),
  () => nested(5000, '[', ']'),
  () => 'x'.repeat(100_000),
  () => '\u001b[31m\u202e'.repeat(2000),
  () => '2026-02-30T00:00:00Z',
  () => '2026-11-20 18:00',
  () => Array.from({ length: 3000 }, (_, n) => n),
];

const replace = fc.tuple(fc.nat(), fc.nat(REPLACEMENTS.length - 1)).map(([at, which]) => (root: Node[]) => {
  const places = placesOf(root);
  put(places[at % places.length] as Place, (REPLACEMENTS[which] as () => Node)());
});

/** Of all objects in the tree, one; its members are changed. */
const members = (change: (list: [string, Node][], seed: number) => void) =>
  fc.tuple(fc.nat(), fc.nat()).map(([at, seed]) => (root: Node[]) => {
    const objects = [root, ...placesOf(root).map(valueAt)].filter((node): node is Members => node instanceof Members);
    const chosen = objects[at % objects.length];
    if (chosen !== undefined && chosen.list.length > 0) change(chosen.list, seed % chosen.list.length);
  });

function valueAt({ container, index }: Place): Node {
  return container instanceof Members ? (container.list[index] as [string, Node])[1] : (container[index] as Node);
}

const change = fc.oneof(
  { weight: 6, arbitrary: replace },
  { weight: 2, arbitrary: members((list, at) => list.splice(at, 1)) },
  members((list, at) => {
    const member = list[at] as [string, Node];
    member[0] = member[0].toUpperCase();
  }),
  // A key twice: the last one counts.
  members((list, at) => list.push([(list[at] as [string, Node])[0], null])),
  members((list, at) => list.unshift([(list[at] as [string, Node])[0], 'first of two'])),
  members((list) => list.push(['__proto__', new Members([['hasError', true]])])),
  members((list, at) => list.push(['added', (list[at] as [string, Node])[1]])),
);

/** One to three changes to a JSON text of `value`. */
export function mutated(value: Json): fc.Arbitrary<string> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    // In an array, so that the whole document is a place as well.
    const root: Node[] = [toNode(value)];
    for (const apply of changes) apply(root);
    return root.map(toText).join('');
  });
}

/**
 * An independent reading of JSON: integers that JSON.parse would round are bigints, and -0 is 0, as JSON writes it.
 * @throws SyntaxError
 */
export function readExactly(text: string): unknown {
  JSON.parse(text);
  const marked = text
    .split(/("[^"\\]*(?:\\.[^"\\]*)*")/s)
    .map((part, n) =>
      n % 2 === 1
        ? part
        : part.replace(/-?[0-9][-+.eE0-9]*/g, (token) => (isRounded(token) ? `"${MARK}${token}"` : token)),
    )
    .join('');
  return JSON.parse(marked, (_key, value) => {
    if (typeof value === 'string' && value.startsWith(MARK)) return BigInt(value.slice(MARK.length));
    return value === 0 ? 0 : value;
  });
}

/** In no text of these tests. */
const MARK = 'an integer of many digits: ';

function isRounded(token: string): boolean {
  return (
    /^-?\d+$/.test(token) && token !== '-0' && Math.abs(Number(token)) !== Infinity && token !== exact(Number(token))
  );
}

/** The digits that JSON has for a number. */
function exact(value: number): string {
  return JSON.stringify(value).includes('e') ? BigInt(value).toString() : JSON.stringify(value);
}

/** Whether a number of the text is beyond all numbers. */
export function hasInfinity(text: string): boolean {
  return [...withoutStrings(text).matchAll(/-?[0-9][-+.eE0-9]*/g)].some(
    ([token]) => Math.abs(Number(token)) === Infinity,
  );
}

/** Whether an object of the text has a key twice. */
export function doublesKeys(text: string, parsed: unknown): boolean {
  return withoutStrings(text).split(':').length - 1 !== countKeys(parsed);
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value);
  return (Array.isArray(value) ? 0 : inner.length) + inner.reduce<number>((sum, one) => sum + countKeys(one), 0);
}

function withoutStrings(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '"') rest += text[at];
    else for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
  }
  return rest;
}

/** How deep arrays and objects are nested. */
export function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    level = level.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
    depth += 1;
  }
  return depth - 1;
}
