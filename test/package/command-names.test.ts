/** A command that a sentence of the program names with its words is whole: whoever copies it can run it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { ROOT } from './bundle.ts';

const SRC = path.join(ROOT, 'src');

/** The strings of a file, and the fixed parts of its templates. */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && value.type === 'Literal' && 'value' in value)
      texts.push(String(value.value));
    if ('type' in value && value.type === 'TemplateElement' && 'value' in value)
      texts.push((value.value as { readonly cooked: string }).cooked);
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseAst(readFileSync(path.join(SRC, file), 'utf8'), { lang: 'ts' }));
  return texts;
}

it('no sentence names a command with its words and without `screener`', () => {
  const names = (screener.commands ?? []).map(({ name }) => name);
  // `tune` alone is a name; `signals show ID` is there to be copied.
  const bare = new RegExp(`\`(?:${names.join('|')}) [^\`]*`, 'g');
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.d.ts'),
  );
  const found = files.flatMap((file) =>
    textsOf(file).flatMap((text) => [...text.matchAll(bare)].map(([words]) => `${file}: ${words}`)),
  );
  expect(found).toEqual([]);
});
