/**
 * `npm run skill -- [--help-only] COMMAND...`: asks an agent about both accounts at once (the prompt on its standard
 * input, answers on its standard output), with SKILL.md or without, and grades answers, calls and credits.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ACCOUNTS, type Account, asProcess, startAccount, walk, wrongOf } from './account.ts';
import questions from './questions.json' with { type: 'json' };

const isAlone = process.argv[2] === '--help-only';
const [command = 'false', ...args] = process.argv.slice(isAlone ? 3 : 2);
const program = path.resolve('bin/screener.js');

async function ask(kind: Account) {
  const account = await startAccount(kind, asProcess(program));
  // A walk that costs credits leaves answers behind: an account of its own walks.
  const model = kind === 'history' ? account : await startAccount(kind, asProcess(program));
  const { facts } = await walk(kind, model);
  const before = account.spent();
  const [bin, log] = [path.join(account.folder, 'bin'), path.join(account.folder, 'calls')];
  mkdirSync(bin);
  writeFileSync(log, '');
  const lines = [
    '#!/bin/sh',
    `echo "screener $*" >> '${log}'`,
    `exec '${process.execPath}' '${program}' "$@"`,
    '',
  ];
  writeFileSync(path.join(bin, 'screener'), lines.join('\n'), { mode: 0o755 });
  const env = { ...account.env, PATH: `${bin}:${process.env.PATH}` };
  const agent = spawn(command, args, {
    cwd: account.folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const asks = Object.entries(questions.asks).map(([id, question]) => `${id}: ${question}`);
  const guide = isAlone
    ? '`screener --help` explains it.'
    : readFileSync('skills/screener/SKILL.md', 'utf8');
  agent.stdin.end([...questions.prompt, '', ...asks, '', guide].join('\n'));
  const [json = '{}'] = (await text(agent.stdout)).match(/\{[^{}]*\}/g)?.slice(-1) ?? [];
  const wrong = wrongOf(kind, JSON.parse(json), facts);
  const calls = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const all = Object.keys(questions.asks).length;
  const sum = `${all - wrong.length} of ${all} right, ${calls.length} calls, ${account.spent() - before} credits`;
  process.stdout.write(
    `${[`${kind}: ${sum}; wrong: ${wrong.join(', ') || 'none'}`, ...calls].join('\n  ')}\n`,
  );
  await Promise.all([...new Set([model, account])].map(({ close }) => close()));
}

await Promise.all(ACCOUNTS.map(ask));
