import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** A command to time: `argv` is a program with its arguments, `sh` a shell line. */
/** @typedef {{ name: string, argv?: string[], sh?: string, env?: object, aim?: string }} Subject */
/** @typedef {{ wall: number, cpu: number, peak: number }} Sample milliseconds, milliseconds, MiB */

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Times subjects and prints a table, each one's differences and ratios to the first. @param {Subject[]} subjects */
export async function compare(subjects, rounds) {
  const samples = quietest(await alternate(subjects, rounds));
  const [[, first]] = samples;
  print(
    ['', 'CPU', 'more', 'wall', 'peak', 'CPU ratio', 'wall ratio', 'aim of CPU'],
    samples.map(([{ name, aim = '' }, own]) => [
      name,
      `${median(own, 'cpu').toFixed(1)} ms`,
      `${beside(own, first, 'cpu', (a, b) => a - b).toFixed(1)} ms`,
      `${median(own, 'wall').toFixed(1)} ms`,
      `${median(own, 'peak').toFixed(0)} MiB`,
      beside(own, first, 'cpu', (a, b) => a / b).toFixed(2),
      beside(own, first, 'wall', (a, b) => a / b).toFixed(2),
      aim,
    ]),
  );
}

/**
 * Times commands in turn, A B C A B C …, after one round that is not counted: a machine that becomes slower becomes
 * slower for all of them.
 * @param {Subject[]} subjects
 * @returns {Promise<[Subject, Sample[]][]>} by round
 */
export async function alternate(subjects, rounds) {
  const samples = subjects.map((subject) => [subject, []]);
  const forget = keepLedgers(subjects);
  for (let round = -1; round < rounds; round += 1) {
    for (const [subject, own] of samples) {
      forget();
      const sample = await runOnce(subject);
      if (round >= 0) own.push(sample);
    }
  }
  return samples;
}

/** @param {Subject} subject @returns {Promise<Sample>} */
export async function runOnce({ name, argv, sh = '', env }) {
  const command = argv ?? ['/bin/bash', '-o', 'pipefail', '-c', sh];
  const { PATH, HOME } = process.env;
  const child = spawn('python3', [path.resolve('test/bench/wait.py'), ...command], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  let said = '';
  let counted = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  child.stdio[3].on('data', (chunk) => {
    counted += chunk;
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`);
  return JSON.parse(counted);
}

/** Restores ledgers as they are now: in a minute this sends more than the 15 requests that a user's ledger allows. */
function keepLedgers(subjects) {
  const states = new Set(subjects.flatMap(({ env }) => env?.SCREENER_STATE_DIR ?? []));
  const ledgers = [...states]
    .map((state) => path.join(state, 'ledger'))
    .filter((ledger) => fs.existsSync(ledger));
  for (const ledger of ledgers) fs.cpSync(ledger, `${ledger}-kept`, { recursive: true });
  return () => {
    for (const ledger of ledgers) {
      fs.rmSync(ledger, { recursive: true });
      fs.cpSync(`${ledger}-kept`, ledger, { recursive: true });
    }
  };
}

/** @param {Sample[]} samples @param {keyof Sample} figure */
export function median(samples, figure) {
  const sorted = samples.map((sample) => sample[figure]).sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function beside(own, first, figure, compared) {
  return median(
    own.map((sample, round) => ({ [figure]: compared(sample[figure], first[round][figure]) })),
    figure,
  );
}

/** The half of the rounds in which all subjects together took least: others of the machine were at work in the rest. */
function quietest(samples) {
  const taken = samples[0][1].map((_, round) =>
    samples.reduce((sum, [, own]) => sum + own[round].cpu, 0),
  );
  const limit = taken.toSorted((a, b) => a - b)[taken.length >> 1];
  return samples.map(([subject, own]) => [
    subject,
    own.filter((_, round) => taken[round] <= limit),
  ]);
}

/** The first column to the left. */
export function print(header, rows) {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  say(all.map(line).join('\n'));
}
