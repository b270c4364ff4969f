import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** A command to time: `sh` is given a shell line, `argv` a program with its arguments. */
/** @typedef {{ name: string, argv?: string[], sh?: string, env?: Record<string, string> }} Subject */
/** @typedef {{ wall: number, cpu: number, peak: number, bytes: number }} Sample milliseconds, milliseconds, MiB, bytes */

/**
 * Runs a command once, its output read and counted.
 * @param {Subject} subject
 * @returns {Promise<Sample>}
 */
export async function runOnce(subject) {
  const command = subject.argv ?? ['/bin/bash', '-o', 'pipefail', '-c', subject.sh ?? ''];
  const child = spawn('python3', [path.join(import.meta.dirname, 'wait.py'), ...command], {
    env: { ...baseEnv(), ...subject.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let bytes = 0;
  let said = '';
  let counted = '';
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length;
  });
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
  if (code !== 0) throw new Error(`${subject.name} ended with ${code}: ${said}`);
  return { ...JSON.parse(counted), bytes };
}

/**
 * Times commands in turn, A B C A B C …, after one round that is not counted: so a machine that becomes slower becomes
 * slower for all of them, and only the ratios within a round are compared.
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @returns {Promise<Sample[][]>} per subject, its samples by round
 */
export async function alternate(subjects, rounds) {
  const samples = subjects.map(() => /** @type {Sample[]} */ ([]));
  const forget = keepLedgers(subjects);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      forget();
      const sample = await runOnce(subject);
      if (round >= 0) samples[index].push(sample);
    }
  }
  return samples;
}

/**
 * Of the ledgers as they are now, which know the allowance.
 * @returns what puts them back: in a minute a benchmark sends more than the 15 requests that a user's ledger holds at most
 */
function keepLedgers(subjects) {
  const states = new Set(subjects.flatMap(({ env }) => env?.SCREENER_STATE_DIR ?? []));
  const ledgers = [...states].map((state) => path.join(state, 'ledger')).filter((ledger) => fs.existsSync(ledger));
  for (const ledger of ledgers) fs.cpSync(ledger, `${ledger}-kept`, { recursive: true });
  return () => {
    for (const ledger of ledgers) {
      fs.rmSync(ledger, { recursive: true });
      fs.cpSync(`${ledger}-kept`, ledger, { recursive: true });
    }
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median over the rounds of a / b. */
export function ratio(a, b, figure) {
  return median(a.map((sample, round) => sample[figure] / b[round][figure]));
}

export function figure(samples, name) {
  return median(samples.map((sample) => sample[name]));
}

function baseEnv() {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}
