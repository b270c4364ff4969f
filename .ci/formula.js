/** Prints the Homebrew formula of a released package: `node .ci/formula.js URL SHA256`. */
import { readFileSync } from 'node:fs';

const [url, sha256] = process.argv.slice(2);
const template = readFileSync(new URL('../.config/homebrew/screener.rb', import.meta.url), 'utf8');
const address = `  url ${JSON.stringify(url)}\n  sha256 ${JSON.stringify(sha256)}`;
process.stdout.write(template.replace(/^#.*\n/gm, '').replace(/^ {2}url .*$/m, () => address));
