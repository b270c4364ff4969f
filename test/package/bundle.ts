import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The chunks of the program, built in memory: which modules each holds, and which chunks it imports at once. */
export async function bundle(): Promise<OutputChunk[]> {
  const { default: config } = await import(new URL('../../.config/rolldown.config.js', import.meta.url).href);
  const { output, ...input } = config;
  const build = await rolldown(input);
  const { output: files } = await build.generate(output);
  await build.close();
  return files.filter((file) => file.type === 'chunk');
}

/** The packages whose code is in chunks, and `own` where there is code of this program. */
export function packagesOf(chunks: readonly OutputChunk[]): string[] {
  const names = chunks.flatMap((chunk) => Object.keys(chunk.modules)).map(packageOf);
  return [...new Set(names)].sort();
}

export function packageOf(id: string): string {
  if (id.startsWith('\0')) return 'rolldown';
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? 'own';
}
