import { spawnSync } from 'node:child_process';
import { alternate, figure, ratio } from './measure.js';

const COLUMNS = ['', 'wall', 'CPU', 'peak', 'MB/s', 'wall ratio', 'CPU ratio', 'aim'];

/**
 * Times subjects in turn and says a table, each one's ratios to the first.
 * @param {string} title
 * @param {(import('./measure.js').Subject & { needs?: string[], aim?: string })[]} subjects
 * @param {{ rounds: number, say: (text: string) => void }} bench
 */
export async function compare(title, subjects, { rounds, say }) {
  const present = subjects.filter(({ needs = [] }) => needs.every(has));
  const samples = await alternate(present, rounds);
  const rows = present.map(({ name, aim = '' }, i) => [
    name,
    `${figure(samples[i], 'wall').toFixed(1)} ms`,
    `${figure(samples[i], 'cpu').toFixed(1)} ms`,
    `${figure(samples[i], 'peak').toFixed(0)} MiB`,
    (figure(samples[i], 'bytes') / figure(samples[i], 'wall') / 1000).toFixed(1),
    ratio(samples[i], samples[0], 'wall').toFixed(2),
    ratio(samples[i], samples[0], 'cpu').toFixed(2),
    aim,
  ]);
  say(title);
  say(table([COLUMNS, ...rows]));
  for (const { name, needs } of subjects.filter((subject) => !present.includes(subject))) {
    say(`skipped: ${name} (needs ${needs.join(' and ')})`);
  }
  say('');
}

/** Whether a program is on the PATH. */
function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Plain text in columns, the first one left-aligned. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '))
    .join('\n');
}
