/**
 * Tests that run the program's sources within their own process load cli-table3 unbundled. Here it becomes what it is in
 * the bundle: it measures text as everything else does (`.config/string-width.cjs`), and does not shorten every tall
 * cell for a debug output that is off (`.config/without-debug-texts.js`), which takes seconds for long texts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { measure } from '../../src/output/table/measure.ts';

const { withoutDebugTexts } = await import(
  new URL('../../.config/without-debug-texts.js', import.meta.url).href
);

const require = createRequire(createRequire(import.meta.url).resolve('cli-table3'));

/** The module at `path` once it is loaded. */
function loaded(path: string): NodeJS.Module {
  require(path);
  const module = require.cache[path];
  if (module === undefined) throw new Error(`cli-table3 does not load ${path} any more`);
  return module;
}

loaded(require.resolve('string-width')).exports = measure;
const cell = loaded(require.resolve('./src/cell.js'));
const text = withoutDebugTexts().transform(readFileSync(cell.filename, 'utf8'), cell.filename);
(cell as NodeJS.Module & { _compile(text: string, path: string): void })._compile(
  text,
  cell.filename,
);
