/** Small mutations of a source text: each changes one thing that a test should notice. */
import { parseAst } from 'rolldown/parseAst';
import { randomOf } from '../support/history.ts';

/** What a mutation does, in the words of the list that is printed. */
export type Kind =
  | 'turns a comparison'
  | 'moves a bound'
  | 'swaps && and ||'
  | 'takes one branch always'
  | 'changes a number'
  | 'turns a truth value'
  | 'swaps an operator'
  | 'drops an await'
  | 'drops a negation'
  | 'empties a list'
  | 'leaves out a call';

export interface Mutation {
  readonly kind: Kind;
  /** Offsets into the source text: what lies from `start` up to `end` is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** As ESTree has it, with offsets in UTF-16 units. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const TURNED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

const MOVED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

const SWAPPED: Readonly<Record<string, string>> = { '-': '+', '*': '/', '/': '*', '%': '*' };

/** Methods that give a list, or a part of it. */
const LISTING = new Set(['map', 'filter', 'flatMap', 'slice', 'toSorted', 'toReversed', 'concat']);

/** All mutations of a TypeScript source, in the order of the text. @throws SyntaxError */
export function mutationsOf(source: string): Mutation[] {
  const found: Mutation[] = [];
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);

  function visit(node: Node): void {
    // Types are gone when the program runs.
    if (node.type.startsWith('TS') && !isExpression(node)) return;
    if (node.type === 'ImportDeclaration') return;
    found.push(...mutationsOfNode(node, source));
    const leftOut = [unreadDefault(node), numberAsKey(node)];
    for (const child of childrenOf(node)) if (!leftOut.includes(child)) visit(child);
  }
}

/** The 0 of `values[i] ?? 0`, which the types ask for: in a loop over the values nothing reads it. */
function unreadDefault({ type, left, right }: Node): Node | undefined {
  if (type !== 'LogicalExpression' || !isNode(left) || !isNode(right)) return undefined;
  const isOfIndex = left.type === 'MemberExpression' && left.computed === true;
  return isOfIndex && right.type === 'Literal' ? right : undefined;
}

/** The 404 of `{ 404: value }`. */
function numberAsKey({ type, key, computed }: Node): Node | undefined {
  if (type !== 'Property' || computed === true || !isNode(key)) return undefined;
  return key.type === 'Literal' && typeof key.value === 'number' ? key : undefined;
}

/** `value as Type` and `value satisfies Type` hold an expression. */
function isExpression({ type }: Node): boolean {
  return type === 'TSAsExpression' || type === 'TSSatisfiesExpression';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function mutationsOfNode(node: Node, source: string): Mutation[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const replaced = (kind: Kind, what: Node, replacement: string): Mutation => ({
    kind,
    start: what.start,
    end: what.end,
    replacement,
  });
  /** Replaces the operator of a binary expression. */
  const operated = (kind: Kind, operators: Readonly<Record<string, string>>): Mutation[] => {
    const { left, right, operator } = node as Node & { left: Node; right: Node; operator: string };
    const other = operators[operator];
    if (other === undefined) return [];
    const start = source.indexOf(operator, left.end);
    if (start > right.start) return [];
    return [{ kind, start, end: start + operator.length, replacement: other }];
  };

  switch (node.type) {
    case 'BinaryExpression':
      return [
        ...operated('turns a comparison', TURNED),
        ...operated('moves a bound', MOVED),
        ...operated('swaps an operator', SWAPPED),
      ];
    case 'LogicalExpression': {
      // Brackets, because `a ?? b || c` is no program.
      const { left, right, operator } = node as Node & { left: Node; right: Node };
      if (operator === '??') return [];
      const other = operator === '&&' ? '||' : '&&';
      return [replaced('swaps && and ||', node, `((${textOf(left)}) ${other} (${textOf(right)}))`)];
    }
    case 'ConditionalExpression':
    case 'IfStatement': {
      const test = node.test as Node;
      return ['true', 'false'].map((truth) => replaced('takes one branch always', test, truth));
    }
    case 'Literal':
      if (typeof node.value === 'boolean')
        return [replaced('turns a truth value', node, String(!node.value))];
      if (typeof node.value === 'number')
        return [replaced('changes a number', node, `(${textOf(node)} + 1)`)];
      return [];
    case 'Property': {
      // Brackets, because `{ (404 + 1): value }` is no program.
      const key = numberAsKey(node);
      return key === undefined ? [] : [replaced('changes a number', key, `[${textOf(key)} + 1]`)];
    }
    case 'AwaitExpression':
      return [replaced('drops an await', node, `(${textOf(node.argument as Node)})`)];
    case 'UnaryExpression':
      if (node.operator !== '!') return [];
      return [replaced('drops a negation', node, `(${textOf(node.argument as Node)})`)];
    case 'ReturnStatement':
      return isList(node.argument) ? [replaced('empties a list', node.argument, '[]')] : [];
    case 'ArrowFunctionExpression':
      return isList(node.body) ? [replaced('empties a list', node.body, '[]')] : [];
    case 'ExpressionStatement':
      return isCall(node.expression) ? [replaced('leaves out a call', node, ';')] : [];
    default:
      return [];
  }
}

function isList(value: unknown): value is Node {
  if (!isNode(value)) return false;
  if (value.type === 'ArrayExpression') return (value.elements as readonly unknown[]).length > 0;
  if (value.type !== 'CallExpression') return false;
  const { property } = value.callee as { readonly property?: { readonly name?: string } };
  return LISTING.has(property?.name ?? '');
}

function isCall(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'CallExpression') return true;
  return value.type === 'AwaitExpression' && isCall(value.argument);
}

/** @returns the source after the mutation */
export function mutated(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/**
 * Chooses `count` of `all`: of each kind about as many, and the same ones for the same seed. Fewer if there are fewer.
 */
export function chosen<One extends { readonly kind: Kind }>(
  all: readonly One[],
  count: number,
  seed: number,
): One[] {
  const random = randomOf(seed);
  const byKind = new Map<Kind, One[]>();
  for (const mutation of all)
    byKind.set(mutation.kind, [...(byKind.get(mutation.kind) ?? []), mutation]);
  const left = [...byKind.values()];
  const picked: One[] = [];
  while (picked.length < count && left.some((list) => list.length > 0)) {
    for (const list of left) {
      if (picked.length === count || list.length === 0) continue;
      picked.push(...list.splice(Math.floor(random() * list.length), 1));
    }
  }
  return picked;
}
