import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** Where to report a fault; undefined until the package names a place. */
export const bugs: string | undefined = (manifest as { bugs?: { url?: string } }).bugs?.url;

/** The folder of package.json: source and build both lie one folder below it. */
export const packageFolder = join(import.meta.dirname, '..');
