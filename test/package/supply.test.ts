import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programFolder } from '../support/run.ts';
import { bundle, packageOf, packagesOf, ROOT } from './bundle.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = read('package.json');
const lock: { packages: Record<string, Locked> } = read('package-lock.json');
const packages = Object.entries(lock.packages).filter(([place]) => place !== '');

describe('the lock file', () => {
  it('holds the checksum of every package', () => {
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('names no registry: whoever installs takes their own', () => {
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
    expect(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/https?:\/\/[^"]*registry/);
  });

  it('has no package that runs a script when it is installed', () => {
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place)).toEqual([]);
  });
});

describe('the manifest', () => {
  it('declares no dependency that would have to be installed: they are bundled', () => {
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']) {
      expect(manifest[kind]).toBeUndefined();
    }
    for (const script of ['preinstall', 'install', 'postinstall']) expect(manifest.scripts[script]).toBeUndefined();
  });
});

describe('licences of what is bundled', () => {
  it('stand in dist/THIRD-PARTY-LICENSES.txt, each with its text', () => {
    const chunks = bundle();
    const text = readFileSync(path.join(programFolder(), 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const sections = text.split(/\n-{79}\n\n/);
    for (const name of packagesOf(chunks).filter((one) => one !== 'own')) {
      const version = read(path.join(placeOf(name, chunks), 'package.json')).version;
      const section = sections.find((one) => one.startsWith(`${name} ${version} (`));
      expect(section, name).toMatch(/copyright/i);
      expect(section, name).toMatch(/permission|redistribution/i);
    }
    expect(sections.find((one) => one.startsWith('llhttp'))).toMatch(/Fedor Indutny/);
  });

  it('are all of a kind that asks for nothing but their text', () => {
    const text = readFileSync(path.join(programFolder(), 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const heads = text.split(/\n-{79}\n\n/).map((section) => section.split('\n')[0] ?? '');
    expect(heads.filter((head) => !/ \((MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0)\)$/.test(head))).toEqual([]);
  });

  function placeOf(name: string, chunks: ReturnType<typeof bundle>): string {
    const id = chunks.flatMap(({ modules }) => modules).find((one) => packageOf(one) === name) ?? '';
    return id.startsWith('\0') ? 'node_modules/rolldown' : `${path.relative(ROOT, id).split(`${name}/`)[0]}${name}`;
  }
});
