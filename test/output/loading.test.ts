import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

interface Chunk {
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly facadeModuleId: string | null;
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
}

/** What the bundler loads at once for a module: its chunk and all that this imports other than by `import()`. */
async function loadedFor(source: string): Promise<(module: string) => string[]> {
  const bundle = await rolldown({ input: source, platform: 'node', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const chunks = output.filter((part) => part.type === 'chunk') as unknown as Chunk[];
  return (module) => {
    const start = chunks.filter((chunk) => chunk.facadeModuleId?.endsWith(module));
    if (start.length === 0) throw new Error(`${module} is in no chunk of its own`);
    const names = new Set(start.map(({ fileName }) => fileName));
    for (const name of names)
      for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) names.add(next);
    return chunks.filter(({ fileName }) => names.has(fileName)).flatMap(({ moduleIds }) => moduleIds);
  };
}

const HEAVY = /node_modules|src\/output\/table\//;

describe('loading', () => {
  it.each(['src/output/output.ts', 'src/output/notes.ts'])(
    '%s by itself loads no library and no table',
    async (module) => {
      const loaded = (await loadedFor(module))(module);
      expect(loaded.filter((id) => HEAVY.test(id))).toEqual([]);
    },
  );

  it('JSON, NDJSON and CSV load neither; the table does', async () => {
    const loaded = await loadedFor('src/output/output.ts');
    for (const format of ['json', 'ndjson', 'csv']) {
      expect(loaded(`formats/${format}.ts`).filter((id) => HEAVY.test(id))).toEqual([]);
    }
    expect(loaded('formats/table.ts').some((id) => id.includes('cli-table3'))).toBe(true);
  });
});
