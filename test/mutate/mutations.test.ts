import { expect, it } from 'vitest';
import { chosen, type Kind, mutated, mutationsOf } from './mutations.ts';

/** Of each kind: a source, and what becomes of it. */
const EXAMPLES: Readonly<Record<Kind, { readonly source: string; readonly results: string[] }>> = {
  'turns a comparison': { source: 'a === b;', results: ['a !== b;'] },
  'moves a bound': { source: 'a.b < c;', results: ['a.b <= c;'] },
  'swaps && and ||': { source: 'a && b;', results: ['((a) || (b));'] },
  'takes one branch always': { source: 'a ? b : c;', results: ['true ? b : c;', 'false ? b : c;'] },
  'changes a number': { source: 'a(60);', results: ['a((60 + 1));'] },
  'turns a truth value': { source: 'a = true;', results: ['a = false;'] },
  'swaps an operator': { source: 'a - b;', results: ['a + b;'] },
  'drops an await': { source: 'b = await a();', results: ['b = (a());'] },
  'drops a negation': { source: 'a = !b;', results: ['a = (b);'] },
  'empties a list': { source: 'a = () => b.map(c);', results: ['a = () => [];'] },
  'leaves out a call': { source: 'await a.b();', results: [';'] },
};

it('changes one place, as its kind says', () => {
  for (const [kind, { source, results }] of Object.entries(EXAMPLES)) {
    const made = mutationsOf(source)
      .filter((mutation) => mutation.kind === kind)
      .map((mutation) => mutated(source, mutation));
    expect({ kind, made }).toEqual({ kind, made: results });
  }
});

it('leaves types and imports alone, and places what comes after letters of two units', () => {
  const source = "import a from '1';\ntype B = 1 | true;\n// 🚀\nconst c = (d satisfies 2) > 3;\n";
  expect(mutationsOf(source).map((mutation) => mutated(source, mutation))).toEqual([
    source.replace(') > 3', ') <= 3'),
    source.replace(') > 3', ') >= 3'),
    source.replace('> 3', '> (3 + 1)'),
  ]);
});

it('changes a number that names a property', () => {
  const source = 'a = { 404: b, c: d, [5]: e };';
  expect(mutationsOf(source).map((mutation) => mutated(source, mutation))).toEqual([
    'a = { [404 + 1]: b, c: d, [5]: e };',
    'a = { 404: b, c: d, [(5 + 1)]: e };',
  ]);
});

it('leaves alone what stands in for an item that is always there', () => {
  expect(mutationsOf('a = b[i] ?? 0;\nc = d.e ?? 0;').map(({ start }) => start)).toEqual([
    'a = b[i] ?? 0;\nc = d.e ?? '.length,
  ]);
});

it('chooses the same for the same seed, of each kind about as many', () => {
  const all = mutationsOf('a(1, 2, 3, 4, 5); b(true); c(!d);');
  const kindsOf = (count: number) => chosen(all, count, 7).map(({ kind }) => kind);
  expect(chosen(all, 6, 7)).toEqual(chosen(all, 6, 7));
  expect(new Set(kindsOf(4)).size).toBe(4);
  expect(kindsOf(100)).toHaveLength(all.length);
});
