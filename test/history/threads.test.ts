import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHistory } from '../../src/history/history.ts';
import { computeStats } from '../../src/outcomes/compute.ts';
import { cardOf } from './support.ts';

const root = mkdtempSync(join(tmpdir(), 'history-threads-'));
const history = join(root, 'signals');
const source = (path: string) => fileURLToPath(new URL(`../../src/history/${path}`, import.meta.url));

beforeAll(async () => {
  mkdirSync(history);
  const file = openSync(join(history, 'signals-2026-11.ndjson'), 'w');
  for (let block = 0; block < 45; block += 1) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const id = block * 1000 + i + 1;
      return JSON.stringify(cardOf(id, 400 - id / 120, { url: `https://app.example.com/${'x'.repeat(id % 200)}` }));
    });
    writeSync(file, `${lines.join('\n')}\nbroken ${block}\n`);
  }
  closeSync(file);
  // As the bundle is built: the worker beside the rest.
  const main = join(root, 'main.ts');
  writeFileSync(
    main,
    `import { openHistory } from '${source('history.ts')}';
     import { computeStats } from '${source('stats/compute.ts')}';
     const main = async () => {
       const warnings = [];
       const history = await openHistory(process.argv[2], { warn: (text) => warnings.push(text) });
       const groups = await computeStats(history, {}, process.argv[3] || undefined);
       console.log(JSON.stringify({ groups, warnings }));
     };
     main().catch((error) => {
       console.error(error);
       process.exitCode = 1;
     });`,
  );
  await build({
    input: { main, 'stats-worker': source('stats/worker.ts') },
    platform: 'node',
    tsconfig: false,
    output: { dir: join(root, 'dist'), format: 'cjs', entryFileNames: '[name].cjs' },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('all cores count what one does', async () => {
  expect(statSync(join(history, 'signals-2026-11.ndjson')).size).toBeGreaterThan(4 * (8 << 20));
  for (const by of [undefined, 'symbol', 'day'] as const) {
    const warnings: string[] = [];
    // From source there is no worker's file: the main thread counts alone.
    const alone = await computeStats(await openHistory(history, { warn: (text) => warnings.push(text) }), {}, by);
    const text = execFileSync('node', [join(root, 'dist', 'main.cjs'), history, by ?? ''], { encoding: 'utf8' });
    const together = JSON.parse(text) as { groups: unknown[]; warnings: string[] };
    expect(together.groups).toEqual(JSON.parse(JSON.stringify(alone)));
    expect(together.warnings).toEqual(warnings);
    expect(warnings).toEqual([expect.stringContaining('45 lines')]);
  }
  const alone = await computeStats(await openHistory(history, { warn: () => {} }), {}, undefined);
  expect(alone[0]?.report.rows).toBe(45_000);
});

it('a file that vanishes is an error, not a hang', () => {
  rmSync(join(history, 'signals-2026-11.ndjson'));
  mkdirSync(join(history, 'signals-2026-11.ndjson'));
  expect(() =>
    execFileSync('node', [join(root, 'dist', 'main.cjs'), history], { stdio: 'pipe', timeout: 10_000 }),
  ).toThrow(/EISDIR/);
});
