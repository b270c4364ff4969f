/**
 * `npm run lives -- [options] DIR`: lives invented accounts for ninety mornings, an export on each, and leaves in DIR what
 * their screens said, beside what is true. DIR/false.txt lists each verdict that the truth contradicts.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ACCOUNT_NAMES, type AccountName, accountOf } from './accounts.ts';
import { lineOf, live, lookAgain, type VerdictRun } from './live.ts';
import { MORNINGS } from './world.ts';

const USAGE = `npm run lives -- [options] DIR
  --account NAME  one account (repeatable): ${ACCOUNT_NAMES.join(', ')}; default: all
  --again         asks the screens of lives in DIR once more, by the program as it is now
  --days 1,7,40   the days whose screens are kept; default: 1,7,15,30,40,60,75,89
  --mornings N    how many mornings are lived; default: ${MORNINGS}
  --seed N        draws another market and other cards of the same structure; default: 1
`;

interface Request {
  readonly directory: string;
  readonly isAgain: boolean;
  readonly accounts: readonly AccountName[];
  readonly days: readonly number[];
  readonly mornings: number;
  readonly seed: number;
}

/** @throws Error if the command line is not as `USAGE` says */
function readRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      again: { type: 'boolean', default: false },
      account: { type: 'string', multiple: true, default: [...ACCOUNT_NAMES] },
      days: { type: 'string', default: '1,7,15,30,40,60,75,89' },
      mornings: { type: 'string', default: String(MORNINGS) },
      seed: { type: 'string', default: '1' },
    },
  });
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new Error('One folder is needed.');
  return {
    directory,
    isAgain: values.again,
    accounts: values.account.map(readAccount),
    days: values.days.split(',').map(readNumber),
    mornings: readNumber(values.mornings),
    seed: readNumber(values.seed),
  };
}

function readAccount(text: string): AccountName {
  const name = ACCOUNT_NAMES.find((candidate) => candidate === text);
  if (name === undefined) throw new Error(`There is no account ${text}.`);
  return name;
}

function readNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no whole number.`);
  return Number(text);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function lookAgainAndSay(name: AccountName, request: Request): Promise<void> {
  const { seed, mornings, days, directory } = request;
  await lookAgain({
    account: accountOf(name, seed),
    seed,
    mornings,
    days,
    directory: path.join(directory, name),
    onMorning: (day) => say(`${name}: day ${day}`),
  });
}

/** Lives one account, and says how far it is. */
async function liveAndSay(name: AccountName, request: Request): Promise<VerdictRun[]> {
  const { seed, mornings, days, directory } = request;
  const began = Date.now();
  const secondsSince = () => Math.round((Date.now() - began) / 1000);
  const runs = await live({
    account: accountOf(name, seed),
    seed,
    mornings,
    days,
    directory: path.join(directory, name),
    onMorning: (day) => {
      if (day % 10 === 9) say(`${name}: ${day + 1} of ${mornings} mornings, ${secondsSince()} s`);
    },
  });
  say(`${name}: done in ${secondsSince()} s`);
  return runs;
}

/** The lines of false.txt on one account. */
function falseLines(name: AccountName, runs: readonly VerdictRun[]): string[] {
  const contradicted = runs.filter(({ truth }) => truth.against !== null);
  const head = `${name}: ${contradicted.length} of ${runs.length} verdicts are contradicted`;
  return [head, ...contradicted.map((run) => `  ${lineOf(run)}`)];
}

async function main(request: Request): Promise<void> {
  if (request.isAgain) {
    for (const name of request.accounts) await lookAgainAndSay(name, request);
    return;
  }
  mkdirSync(request.directory, { recursive: true });
  const lines: string[] = [];
  for (const name of request.accounts) {
    lines.push(...falseLines(name, await liveAndSay(name, request)));
    // Written anew after each account: a run that is stopped leaves what it has.
    writeFileSync(path.join(request.directory, 'false.txt'), `${lines.join('\n')}\n`);
  }
}

let request: Request | undefined;
try {
  request = readRequest(process.argv.slice(2));
} catch (error) {
  say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (request !== undefined) await main(request);
