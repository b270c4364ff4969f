/**
 * Tests that run the program's sources within their own process load cli-table3 unbundled. It then measures text as it
 * does in the bundle, where `.config/string-width.cjs` stands in the place of its own string-width.
 */
import { createRequire } from 'node:module';
import { measure } from '../../src/output/table/measure.ts';

const require = createRequire(createRequire(import.meta.url).resolve('cli-table3'));
const path = require.resolve('string-width');
require(path);
const loaded = require.cache[path];
if (loaded === undefined) throw new Error('cli-table3 has no string-width of its own any more');
loaded.exports = measure;
