import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { programFolder } from '../support/run.ts';
import { bundle, packageOf, packagesOf, ROOT } from './bundle.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: object;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = read('package.json');
const lock: { packages: Record<string, Locked> } = read('package-lock.json');
const packages = Object.entries(lock.packages).filter(([place]) => place !== '');

it('the lock file holds every checksum, names no registry, and installs no scripts', () => {
  const odd = packages.filter(
    ([, { integrity, resolved, link, hasInstallScript }]) =>
      !integrity?.startsWith('sha512-') || resolved !== undefined || link || hasInstallScript,
  );
  expect(odd).toEqual([]);
});

it('the lock file keeps the bundler whole on the oldest Node: npm leaves out optional packages of another `engines`', () => {
  const bindings = packages.filter(([place]) => place.includes('/@rolldown/binding-'));
  expect(bindings).not.toEqual([]);
  expect(
    bindings.filter(([, { engines }]) => engines !== undefined).map(([place]) => place),
  ).toEqual([]);
});

it('the manifest declares no dependency that would have to be installed: they are bundled', () => {
  const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'];
  expect(kinds.filter((kind) => manifest[kind] !== undefined)).toEqual([]);
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual(
    [],
  );
});

it('the licences of what is bundled stand in a file, each with its text, and ask for no more', () => {
  const chunks = bundle();
  const text = readFileSync(path.join(programFolder(), 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const sections = text.split(/\n-{79}\n\n/);
  for (const name of packagesOf(chunks).filter((one) => one !== 'own')) {
    const section = sections.find((one) =>
      one.startsWith(`${name} ${read(manifestOf(name)).version} (`),
    );
    expect(section, name).toMatch(/copyright/i);
    expect(section, name).toMatch(/permission|redistribution/i);
  }
  expect(sections.find((one) => one.startsWith('llhttp'))).toMatch(/Fedor Indutny/);
  const heads = sections.map((section) => section.split('\n')[0] ?? '');
  expect(
    heads.filter((head) => !/ \((MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0)\)$/.test(head)),
  ).toEqual([]);

  function manifestOf(name: string): string {
    const id =
      chunks.flatMap(({ modules }) => modules).find((one) => packageOf(one) === name) ?? '';
    const folder = id.startsWith('\0')
      ? 'node_modules/'
      : path.relative(ROOT, id).split(`${name}/`)[0];
    return `${folder}${name}/package.json`;
  }
});
