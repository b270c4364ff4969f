import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import {
  commandOf,
  commandWords,
  everyPath,
  isAction,
} from '../../src/commands/parts/declaration.ts';
import { it } from '../support/fixtures.ts';
import { KEY } from '../support/server.ts';

/** Words that each command needs; null for one that ends only with the process. */
const NEEDS: Readonly<Record<string, string | null>> = {
  report: '-',
  'signals show': '1',
  completion: 'bash',
  sandbox: null,
};

/** Every file below a folder, with its mode and content. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = path.join(folder, name);
    if (!statSync(file).isFile()) return [];
    return `${name} ${statSync(file).mode} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  });
}

it('--demo touches nothing of the user: key, ledger, history, report', async ({
  server,
  home,
  here,
}) => {
  const history = path.join(home.folder, 'data', 'history');
  const page = path.join(home.folder, 'report.html');
  for (const words of [
    ['login'],
    ['signals', 'export', '--max-credits', '9', '--no-stats'],
    ['report', page],
  ])
    expect((await here(words, { stdin: KEY })).code, words.join(' ')).toBe(0);
  const before = filesIn(home.folder).sort();
  expect(before.join('\n')).toMatch(
    /config\.json[\s\S]*export\.json[\s\S]*report\.html[\s\S]*usage\.json/,
  );
  const commands = everyPath([screener]).filter((one) => isAction(commandOf(one)));
  const lines = commands.flatMap((one) => {
    const name = commandWords(one);
    const word = NEEDS[name];
    return word === null ? [] : [[...name.split(' '), ...(word ?? '').split(' ').filter(Boolean)]];
  });
  const own = [`export ${history}`, `export ${history} --adopt`, 'show 8999', 'ls --outcomes'];
  const more = ['today --refresh', 'stats --by type', ...own.map((line) => `signals ${line}`)];
  const requests = server.requests.length;
  for (const words of [...lines, ...more.map((line) => line.split(' '))]) {
    // A few credits touch what many would.
    await here(['--demo', '--max-credits', '9', ...words], {
      stdin: KEY,
      interruptAt: (millis) => millis > 30_000,
    });
    expect(filesIn(home.folder).sort(), words.join(' ')).toEqual(before);
  }
  expect(server.requests).toHaveLength(requests);
});
