import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../support/run.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A file of the program under test, and the modules it holds. */
export interface Chunk {
  readonly fileName: string;
  readonly modules: readonly string[];
}

export function bundle(): readonly Chunk[] {
  return JSON.parse(readFileSync(path.join(programFolder(), 'chunks.json'), 'utf8'));
}

/** The packages whose code is in chunks, and `own` where there is code of this program. */
export function packagesOf(chunks: readonly Chunk[]): string[] {
  return [...new Set(chunks.flatMap(({ modules }) => modules).map(packageOf))].sort();
}

export function packageOf(id: string): string {
  if (id.startsWith('\0')) return 'rolldown';
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? 'own';
}
