import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './bundle.ts';

const load = (file: string) => import(new URL(`../../.config/${file}`, import.meta.url).href);

it('a build on Windows takes the same modules into the same files', async () => {
  const { default: config } = await load('rolldown.config.js');
  const { bundledPackages } = await load('third-party-licenses.js');
  const { plainId } = await load('matching.js');
  const groups: { name: string; test: (id: string) => boolean }[] =
    config.output.codeSplitting.groups;
  const groupOf = (id: string) => groups.find(({ test }) => test(id))?.name;
  const ids = [
    'src/errors.ts',
    'src/api/client.ts',
    'src/output/table/measure.ts',
    'node_modules/valibot/dist/a.mjs',
  ];
  for (const id of ids) {
    expect(groupOf(`C:\\screener\\${id.replaceAll('/', '\\')}`), id).toBe(
      groupOf(`/screener/${id}`),
    );
    expect(groupOf(`/screener/${id}`), id).toBeTypeOf('string');
  }
  const packages = bundledPackages(
    '/x',
    ['C:\\x\\node_modules\\valibot\\dist\\a.mjs'].map(plainId),
  );
  expect(packages).toHaveLength(1);
});

it('a build fails where a filter matched nothing', async () => {
  const { allMatched, matching } = await load('matching.js');
  const test = matching('a folder that moved', /\/gone\//);
  expect(test('/src/here/a.ts'), 'a file outside the folder').toBe(false);
  expect(() => allMatched().generateBundle()).toThrow('a folder that moved');
  expect(test('C:\\src\\gone\\a.ts'), 'a file in the folder, as Windows writes it').toBe(true);
  expect(() => allMatched().generateBundle()).not.toThrow('a folder that moved');
});

it('workflows install only what is pinned, and run only actions that are', () => {
  const folder = path.join(ROOT, '.github', 'workflows');
  const text = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  expect(text).not.toMatch(/npm (install|i|ci)\b(?!.*--ignore-scripts)/);
  const used = text.match(/uses: .*/g) ?? [];
  expect(used.length, 'how many actions the workflows use').toBeGreaterThan(3);
  expect(used.filter((line) => !/@[0-9a-f]{40} # v/.test(line))).toEqual([]);
});

it('a release packs where nothing else ran, publishes that file, and fills in the formula', () => {
  const text = readFileSync(path.join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8');
  const jobs = new Map(
    [...text.matchAll(/^ {2}(\w+):\n((?: {4,}.*\n|\n)+)/gm)].map(([, name, steps = '']) => [
      name ?? '',
      steps,
    ]),
  );
  const own = (job: string) =>
    jobs.get(job)?.replace(/^ +- uses: .*\n( +with:\n( {10}.*\n)+)?/gm, '') ?? '';
  expect([...jobs.keys()].filter((job) => own(job).includes('npm pack'))).toEqual(['pack']);
  expect(own('pack')).toMatch(
    /^ +runs-on: .*\n +timeout-minutes: .*\n +outputs:\n +sha256: \$\{\{ steps\.pack\.outputs\.sha256 \}\}\n +steps:\n +- run: npm ci --ignore-scripts\n +- id: pack\n +run: \|\n +npm pack\n +echo "sha256=\$\(sha256sum signal-screener-\*\.tgz .*\)" >> "\$GITHUB_OUTPUT"\n\s*$/,
  );
  expect(own('test')).toMatch(
    /needs: pack\n[\s\S]* npm run installed -- "\$PWD"\/signal-screener-\*\.tgz\n/,
  );
  expect(own('publish')).toMatch(
    /needs: \[pack, test\][\s\S]* echo "\$\{\{ needs\.pack\.outputs\.sha256 \}\} .*sha256sum --check\n[\s\S]* npm publish --ignore-scripts .* \.\/signal-screener-\*\.tgz\n/,
  );
  expect(own('formula')).toMatch(
    /needs: \[pack, publish\]\n[\s\S]*node \.ci\/formula\.js "\$url" ".*pack\.outputs\.sha256 \}\}"/,
  );
  const script = path.join(ROOT, '.ci', 'formula.js');
  const formula = execFileSync(process.execPath, [script, 'https://x.example/a.tgz', 'abc'], {
    encoding: 'utf8',
  });
  expect(formula).toMatch(
    /^class Screener < Formula\n.*\n {2}url "https:\/\/x\.example\/a\.tgz"\n {2}sha256 "abc"\n/,
  );
});
