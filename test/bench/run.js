/**
 * `npm run bench`: whole processes against what a user would write instead, in turn within one run. Ratios are what
 * counts; the absolute times are this machine's. Options: --details N (history size; by default the 120,000 outcomes
 * that an account can buy in ten years), --rounds N, --only WORD, --node PATH (another Node).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as parts from './parts.js';

const { values } = parseArgs({
  options: {
    details: { type: 'string', default: '120000' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string' },
    node: { type: 'string', default: process.execPath },
  },
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-bench-'));
const say = (text) => process.stdout.write(`${text}\n`);
try {
  say(`${os.availableParallelism()} cores, ${os.cpus()[0]?.model ?? 'unknown CPU'}, ${values.node}`);
  say('Ratios are medians over rounds in which the commands ran one after the other.\n');
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    const own = fs.mkdtempSync(path.join(folder, 'part-'));
    await part({ say, folder: own, node: values.node, rounds: Number(values.rounds), details: Number(values.details) });
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
