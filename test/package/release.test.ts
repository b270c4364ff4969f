import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { ROOT } from './bundle.ts';

const TEXTS = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'README.md'];

/** Runs the check of a release on these texts, bent as given. */
function check(folder: string, bend: (texts: Record<string, string>) => void, tag?: string) {
  const texts = Object.fromEntries(
    TEXTS.map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8')]),
  );
  bend(texts);
  mkdirSync(path.join(folder, '.ci'), { recursive: true });
  cpSync(path.join(ROOT, '.ci', 'check-release.js'), path.join(folder, '.ci', 'check-release.js'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
  const args = [path.join(folder, '.ci', 'check-release.js'), ...(tag === undefined ? [] : [tag])];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stderr };
}

const replace =
  (name: string, pattern: string | RegExp, text: string) => (texts: Record<string, string>) => {
    texts[name] = (texts[name] ?? '').replace(pattern, text);
  };

const released = (texts: Record<string, string>) => {
  replace('package.json', '{', '{ "repository": "a", "bugs": "b", "homepage": "c",')(texts);
  texts['CHANGELOG.md'] =
    '## [Unreleased]\n\n### Added\n\n## [0.1.0] - 2026-11-20\n\n- All of it.\n';
};

const unreleased = (texts: Record<string, string>) => {
  released(texts);
  replace('CHANGELOG.md', '### Added', '### Added\n\n- More.')(texts);
};

it('versions that agree pass, and so does a release whose tag says the same', ({ home }) => {
  expect(check(home.folder, () => {})).toEqual({ status: 0, stderr: '' });
  expect(check(home.folder, released, 'v0.1.0')).toEqual({ status: 0, stderr: '' });
});

const ALL = /[\s\S]*/;

it.for<[string, RegExp, (texts: Record<string, string>) => void, string?]>([
  ['another tag', /The tag is v0\.2\.0/, released, 'v0.2.0'],
  ['entries that are not released', /Unreleased/, unreleased, 'v0.1.0'],
  ['no repository', /lacks repository, bugs, homepage/, () => {}, 'v0.1.0'],
  [
    "somebody else's name",
    /only it may be published/,
    replace('package.json', '"signal-screener"', '"screener"'),
  ],
  [
    'a README that lags',
    /README/,
    replace('README.md', ALL, 'npm install -g ./signal-screener-0.0.9.tgz'),
  ],
  ['a changelog that lags', /CHANGELOG/, replace('CHANGELOG.md', ALL, '## [0.0.9] - 2026-01-01\n')],
  ['a lock file that lags', /package-lock/, replace('package-lock.json', /"0\.1\.0"/g, '"0.0.9"')],
])('%s is refused', ([, said, bend, tag], { home }) => {
  const { status, stderr } = check(home.folder, bend, tag);
  expect(status).toBe(1);
  expect(stderr).toMatch(said);
});
