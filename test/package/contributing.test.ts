/** What CONTRIBUTING names beside a file stands in that file: a name that was changed is found where it leads astray. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const CONTRIBUTING = readFileSync(new URL('CONTRIBUTING.md', ROOT), 'utf8').replaceAll(/\s+/g, ' ');

const FILE = String.raw`\x60((?:[a-z-]+\/)*[a-z-]+(?:\.test)?\.(?:ts|py))\x60`;
const NAME = String.raw`\x60(\w+)\x60`;

/** `name` (`file.ts`), `first` and `second` (`file.ts`), `name` in `file.ts`. */
const BEHIND_NAMES = new RegExp(`((?:${NAME}(?:,| and) )*)${NAME} (?:\\(|in )${FILE}`, 'g');
/** `file.ts` (`name`). */
const BEFORE_NAME = new RegExp(`${FILE} \\(${NAME}`, 'g');

interface Named {
  readonly name: string;
  readonly file: string;
}

function namesBesideFiles(): Named[] {
  const named: Named[] = [];
  for (const [, list = '', , name = '', file = ''] of CONTRIBUTING.matchAll(BEHIND_NAMES)) {
    const others = [...list.matchAll(new RegExp(NAME, 'g'))].map(([, other = '']) => other);
    for (const each of [...others, name]) named.push({ name: each, file });
  }
  for (const [, file = '', name = ''] of CONTRIBUTING.matchAll(BEFORE_NAME))
    named.push({ name, file });
  return named;
}

function textOf(file: string): string {
  const paths = [`src/${file}`, file].map((path) => new URL(path, ROOT));
  const path = paths.find((each) => existsSync(each));
  return path === undefined ? '' : readFileSync(path, 'utf8');
}

it.each(namesBesideFiles())('$name stands in $file', ({ name, file }) => {
  expect({ name, isThere: new RegExp(`\\b${name}\\b`).test(textOf(file)) }).toEqual({
    name,
    isThere: true,
  });
});

it('enough names are found for the test to tell', () => {
  expect(namesBesideFiles().length).toBeGreaterThan(30);
});
