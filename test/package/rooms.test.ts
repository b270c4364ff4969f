/**
 * Data flows down: a room of src/ imports from itself and from the rooms below it, and no import leads in a circle: none
 * of a type, and none that is made when it is needed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoWorld } from '../../src/sandbox/market/market-world.ts';
import { ROOT } from './bundle.ts';

/** From the top. What lies in src/ itself is named without its ending. */
const ROOMS = [
  ...[
    'main',
    'cli',
    'commands',
    'report',
    'output',
    'completion',
    'sandbox',
    'history',
    'outcomes',
    'statistics',
  ],
  ...['credits', 'api', 'config', 'runtime', 'errors', 'version', 'base'],
];

const SRC = path.join(ROOT, 'src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort();

/** The files that each file imports, at once or when they are needed, types included. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(path.join(SRC, file), 'utf8');
    const named = [...text.matchAll(/(?:\bfrom|\bimport\s*\(?)\s*'(\.[^']*\.ts)'/g)].map(
      (match) => match[1] ?? '',
    );
    return [
      file,
      [...new Set(named.map((name) => path.posix.join(path.posix.dirname(file), name)))],
    ];
  }),
);

const roomOf = (file: string) => file.split('/')[0]?.replace(/\.ts$/, '') ?? '';
const heightOf = (file: string) => ROOMS.indexOf(roomOf(file));

describe('the rooms of src', () => {
  it('are those of the plan', () => {
    const strangers = [...new Set(files.map(roomOf))].filter((room) => !ROOMS.includes(room));
    expect(strangers, 'not in ROOMS of test/package/rooms.test.ts').toEqual([]);
  });

  it('import from below only', () => {
    const upwards = [...imports].flatMap(([file, named]) =>
      named
        .filter((other) => heightOf(other) < heightOf(file))
        .map((other) => `${file} -> ${other}`),
    );
    expect(upwards, 'an import against the order of ROOMS in test/package/rooms.test.ts').toEqual(
      [],
    );
  });

  it('hold no circle of files', () => {
    expect(circles(imports)).toEqual([]);
  });
});

/** The files that are left once each that imports none of them, or is imported by none, is taken away. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(graph);
  for (let size = 0; size !== left.size; ) {
    size = left.size;
    const named = new Set([...left.values()].flat());
    for (const [file, imported] of left)
      if (!named.has(file) || imported.every((other) => !left.has(other))) left.delete(file);
  }
  return [...left.keys()];
}

it('no file asks which horizon it is: src/api/contract/horizons.ts knows', () => {
  const asking = files.filter((file) =>
    /[!=]== '(1h|24h)'/.test(readFileSync(path.join(SRC, file), 'utf8')),
  );
  expect(asking).toEqual([]);
});

it('nothing but the stand-in knows its types, metrics and keys', () => {
  const world = demoWorld(0);
  const { items } = world.screeners(0);
  const contexts = world.index(0).map(({ id }) => world.detail(id, 0)?.entry_context);
  // A single word that is no type is anybody's: `price`, `window`.
  const compound = namesIn([items.map(({ conditions }) => conditions), contexts]).filter((name) =>
    /\W|_|\p{Lu}/u.test(name),
  );
  const names = new Set([...items.map(({ type }) => type), ...compound]);
  expect(names.size, 'how many names the stand-in has').toBeGreaterThan(15);
  const known = files.flatMap((file) => {
    const text = readFileSync(path.join(SRC, file), 'utf8');
    const own = [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return roomOf(file) === 'sandbox' ? [] : own.map((name) => `${file}: ${name}`);
  });
  expect(known).toEqual([]);
});

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => [key, ...namesIn(inner)]);
}
