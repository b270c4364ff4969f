import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

export const packageFolder = join(import.meta.dirname, '..');
