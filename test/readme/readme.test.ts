import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../src/commands/global-options.ts';
import { flagsOf } from '../../src/commands/option.ts';
import { EXIT } from '../../src/errors.ts';
import { withoutTerminal } from '../support/pty.ts';
import { screen } from '../terminal/drive.ts';
import { type Block, blocksOf, isExcused, isShell, README, runOf } from './blocks.ts';
import { shapeOf } from './shape.ts';
import { createUser, runBlock, runCrontab } from './shell.ts';

/** Every path of words of the tree. */
const paths = everyPath([screener]);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const blocks = blocksOf(README);
const noTerminal = withoutTerminal();
const noJq = isAbsent('jq');

/** Absent tools excuse a block only on somebody's own machine. */
function isAbsent(tool: string): boolean {
  if (process.env.CI === 'true') return false;
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    process.stderr.write(`Skipped: blocks of README.md with ${tool}, which is not installed.\n`);
    return true;
  }
}

/** README with what a block printed now in the place of what it printed once. */
function takeAnew(once: string, now: string): void {
  const file = `${ROOT}README.md`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(`\n${once}\n\`\`\``, () => `\n${screen(now).join('\n').trimEnd()}\n\`\`\``),
  );
}

function titleOf({ line, text }: Block): string {
  return `line ${line}: ${text.split('\n')[0]}`;
}

describe('the shell blocks', () => {
  // Whoever reads on the first day pastes one after the other.
  const user = createUser();
  afterAll(() => user.remove());

  test('each says how it is run, or why it is not', () => {
    const ofShell = blocks.filter((block) => isShell(block) && block.language !== 'crontab');
    const silent = ofShell.filter((block) => runOf(block) === undefined && !isExcused(block));
    expect(silent.map(titleOf), 'no `<!-- run -->` or `<!-- not run: … -->` above it in README.md').toEqual([]);
    expect(blocks.filter((block) => runOf(block) !== undefined).length).toBeGreaterThanOrEqual(6);
  });

  for (const block of blocks) {
    const run = runOf(block);
    if (run === undefined) continue;
    const skipped = (run.terminal && noTerminal) || (/\bjq\b/.test(block.text) && noJq);
    test(titleOf(block), { skip: skipped }, async () => {
      const result = await runBlock(block.text, run, user);
      expect(result.code, result.text).toBe(0);
      if (block.output === undefined) return;
      const [there, here] = [
        shapeOf(block.output, run.terminal),
        shapeOf(screen(result.text).join('\n'), run.terminal),
      ];
      if (process.env.SCREENER_README === '1') {
        takeAnew(block.output, result.text);
        return;
      }
      expect(here.lines, result.text).toEqual(there.lines);
      if (!run.terminal) return;
      // Which columns fit depends on the data; in a pipe there are all of them.
      const piped = await runBlock(block.text, { terminal: false }, user);
      const all = shapeOf(piped.text, false).headers.flat();
      expect(there.headers.flat().filter((column) => !all.includes(column))).toEqual([]);
    });
  }

  for (const block of blocks.filter(({ language }) => language === 'crontab')) {
    test.concurrent(`line ${block.line}: the crontab, in cron's environment`, async ({ expect }) => {
      const results = await runCrontab(block.text);
      expect(results.length).toBeGreaterThan(1);
      for (const { command, shown: printed } of results) {
        expect(printed, command).toEqual({ code: 0, text: '' });
      }
    });
  }
});

describe('what it names', () => {
  test('every command of the program', () => {
    const lines = paths.filter((path) => isAction(commandOf(path))).map(wordsOf);
    const aliases = paths.flatMap((path) => commandOf(path).alias ?? []);
    expect(
      lines.filter((words) => !README.includes(`\`${words}`)),
      'in no table of README.md',
    ).toEqual([]);
    expect(
      aliases.filter((alias) => !README.includes(`\`${alias}\``)),
      'not named in README.md',
    ).toEqual([]);
  });

  test('no option that does not exist', () => {
    const options = [
      ...GLOBAL_OPTIONS,
      VERSION_OPTION,
      HELP_OPTION,
      ...paths.flatMap((p) => commandOf(p).options ?? []),
    ];
    const flags = options.map((option) => flagsOf(option).long);
    const named = new Set(README.match(/(?<![\w-])--[a-z][a-z-]*/g));
    expect(named.size).toBeGreaterThan(20);
    expect(
      [...named].filter((flag) => !flags.includes(flag)),
      'README.md names an option of no command',
    ).toEqual([]);
  });

  test('every exit code', () => {
    const codes = [...README.matchAll(/^\| (\d+) \| /gm)].map((match) => Number(match[1]));
    expect(codes).toEqual(Object.values(EXIT));
  });

  test('every topic of help, and no variable of the environment that the topic does not know', () => {
    expect(
      topicNames.filter((topic) => !README.includes(`\`${topic}\``)),
      'a topic that README.md does not name',
    ).toEqual([]);
    const known = topicText('environment', screener) ?? '';
    const named = README.match(/\bSCREENER_[A-Z_]+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(
      named.filter((name) => !known.includes(name)),
      'not in ENVIRONMENT of src/cli/topics.ts',
    ).toEqual([]);
  });

  test('scripts of package.json that there are', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const texts = README + readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');
    const named = [...texts.matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1] ?? '');
    expect(
      named.filter((name) => !Object.hasOwn(scripts, name)),
      'in no scripts of package.json',
    ).toEqual([]);
  });

  test('no file of the code that is gone', () => {
    const contributing = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');
    const named = [...contributing.matchAll(/`((?:[a-z]+\/)+(?:[a-z-]+(?:\.test)?\.(?:ts|py|yaml))?)`/g)];
    const files = named.map((match) => match[1] ?? '');
    expect(files.length).toBeGreaterThan(20);
    expect(
      files.filter((file) => ![`src/${file}`, file].some((name) => existsSync(`${ROOT}${name}`))),
      'named in CONTRIBUTING.md, but gone',
    ).toEqual([]);
  });
});
