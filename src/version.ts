import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** The folder of the package, which `src/` and `dist/` both lie in. */
export const packageFolder = join(import.meta.dirname, '..');
