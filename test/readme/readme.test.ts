import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/parts/declaration.ts';
import {
  GLOBAL_OPTIONS,
  HELP_OPTION,
  VERSION_OPTION,
} from '../../src/commands/parts/global-options.ts';
import { flagsOf } from '../../src/commands/parts/option.ts';
import { EXIT } from '../../src/errors.ts';
import { createHome } from '../support/home.ts';
import { without } from '../support/programs.ts';
import { screen } from '../terminal/drive.ts';
import {
  type Block,
  blocksOf,
  cronCommands,
  isOnTerminal,
  isRun,
  printingCommandOf,
  README,
} from './blocks.ts';
import { shapeOf } from './shape.ts';
import { runBlock, runCrontab } from './shell.ts';

/** Every path of words of the tree. */
const paths = everyPath([screener]);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const blocks = blocksOf(README);
const noTerminal = without('python3');
const noJq = without('jq');

/** README with what a block printed now in the place of what it printed once. */
function takeAnew(once: string, now: string): void {
  const file = `${ROOT}README.md`;
  const text = readFileSync(file, 'utf8');
  const renewed = `\n${screen(now).join('\n').trimEnd()}\n\`\`\``;
  writeFileSync(
    file,
    text.replace(`\n${once}\n\`\`\``, () => renewed),
  );
}

function titleOf({ line, text }: Block): string {
  return `line ${line}: ${text.split('\n')[0]}`;
}

describe('the shell blocks', () => {
  // Whoever reads on the first day pastes one after the other.
  const user = createHome();
  afterAll(() => user.remove());

  test('each says how it is run, or why it is not', () => {
    const ofShell = blocks.filter(({ language }) =>
      /^(sh|bash|shell|zsh|fish|console)$/.test(language),
    );
    const silent = ofShell.filter((block) => !isRun(block) && !/^not run: \S/.test(block.marker));
    expect(
      silent.map(titleOf),
      'no `<!-- run -->` or `<!-- not run: … -->` above it in README.md',
    ).toEqual([]);
    expect(blocks.filter(isRun).length, 'how many blocks are run').toBeGreaterThanOrEqual(4);
  });

  for (const block of blocks.filter(isRun)) {
    const onTerminal = isOnTerminal(block);
    const skipped = (onTerminal && noTerminal) || (/\bjq\b/.test(block.text) && noJq);
    test(titleOf(block), { skip: skipped }, async () => {
      const result = await runBlock(block.text, onTerminal, user);
      expect(result.code, result.text).toBe(0);
      if (block.output === undefined) return;
      if (process.env.SCREENER_README === '1') return takeAnew(block.output, result.text);
      const here = shapeOf(screen(result.text).join('\n'), onTerminal);
      expect(here, result.text).toEqual(shapeOf(block.output, onTerminal));
    });
  }

  for (const block of blocks) {
    const command = printingCommandOf(block);
    if (command === undefined) continue;
    test(`line ${block.line}: what \`${command}\` prints`, async () => {
      const result = await runBlock(command, false, user);
      expect(result.code, result.text).toBe(0);
      if (process.env.SCREENER_README === '1') return takeAnew(block.text, result.text);
      const printed = shapeOf(screen(result.text).join('\n'), false);
      expect(printed, result.text).toEqual(shapeOf(block.text, false));
    });
  }

  for (const block of blocks.filter(({ language }) => language === 'crontab')) {
    test.concurrent(`line ${block.line}: the crontab, in cron's environment`, async ({
      expect,
    }) => {
      const results = await runCrontab(block.text);
      expect(results.length, 'how many lines the crontab has').toBeGreaterThan(1);
      for (const { command, shown: printed } of results) {
        expect(printed, command).toEqual({ code: 0, text: '' });
      }
    });
  }
});

describe('what it names', () => {
  const contributing = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');

  test('every command, alias and topic of the program, and every exit code', () => {
    const lines = paths.filter((path) => isAction(commandOf(path))).map(wordsOf);
    expect(lines.filter((words) => !README.includes(`\`${words}`))).toEqual([]);
    const words = [...paths.flatMap((path) => commandOf(path).alias ?? []), ...topicNames];
    expect(words.filter((word) => !README.includes(`\`${word}\``))).toEqual([]);
    const [, listed = ''] = /^Exit codes: ([\s\S]*?)\.(?:\s|$)/m.exec(README) ?? [];
    const codes = listed.split(/,\s+/).map((entry) => Number.parseInt(entry, 10));
    expect(codes).toEqual(Object.values(EXIT));
  });

  test('no option, variable or script that there is not', () => {
    const optionsOfCommands = paths.flatMap((path) => commandOf(path).options ?? []);
    const options = [VERSION_OPTION, HELP_OPTION, ...GLOBAL_OPTIONS, ...optionsOfCommands];
    const flags = options.map((option) => flagsOf(option).long);
    const named =
      README.replace(/\b(?:curl|systemctl) .*/g, '').match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
    const known = topicText('environment', screener) ?? '';
    const variables = README.match(/\bSCREENER_[A-Z_]+\b/g) ?? [];
    const strange = variables.filter((name) => !known.includes(name));
    expect(strange, 'not in src/cli/topics.ts').toEqual([]);
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    const run = [...(README + contributing).matchAll(/npm run ([a-z:-]+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(
      Math.min(new Set(named).size, variables.length, run.length),
      'how many flags, variables or scripts are named',
    ).toBeGreaterThan(3);
  });

  test('the first line of the crontab is what systemd starts, in README and in help cron', () => {
    const unit = blocks.find(({ language }) => language === 'ini')?.text ?? '';
    const started = /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(unit)?.[1];
    const crontab = blocks.find(({ language }) => language === 'crontab')?.text ?? '';
    expect(started).toBe(cronCommands(crontab)[0]);
    const inHelp = (topicText('cron', screener) ?? '').replace(/^ {2}/gm, '');
    expect(inHelp).toContain(unit);
  });

  test('no file of the code that is gone', () => {
    const named = [
      ...contributing.matchAll(/`((?:[a-z]+\/)+(?:[a-z-]+(?:\.test)?\.(?:ts|py|yaml))?)`/g),
    ];
    const files = named.map((match) => match[1] ?? '');
    expect(files.length, 'how many files are named').toBeGreaterThan(20);
    const gone = files.filter(
      (file) => ![`src/${file}`, file].some((name) => existsSync(`${ROOT}${name}`)),
    );
    expect(gone, 'named in CONTRIBUTING.md').toEqual([]);
  });
});
