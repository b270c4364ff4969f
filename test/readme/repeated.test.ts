/** What texts repeat of a table is what stands in it: whoever changes one is told of the others. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  HORIZONS,
  HORIZONS_IN_WORDS,
  horizonOf,
  MAIN_HORIZON,
  OUTCOME_WORDS,
} from '../../src/api/contract/horizons.ts';
import { CREDIT_PERIODS, CREDITS_A_DAY, LIMITS, WINDOWS } from '../../src/api/limits.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { pluralize } from '../../src/base/units.ts';
import { EXITS } from '../../src/cli/help.ts';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, commandWords, everyPath } from '../../src/commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration, offeredFor } from '../../src/commands/parts/option.ts';
import { DEFAULT_LEAST } from '../../src/outcomes/question.ts';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { verdictName } from '../../src/output/views/verdict-names.ts';
import { LEAST_CLUSTERS } from '../../src/statistics/clustered-median.ts';
import { KEPT_SMALL, MARGIN } from '../../src/statistics/rule.ts';
import { README } from './blocks.ts';

const SKILL = readFileSync(new URL('../../skills/screener/SKILL.md', import.meta.url), 'utf8');

const CONTRIBUTING = readFileSync(
  new URL('../../CONTRIBUTING.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');

const PICTURE = readFileSync(new URL('../../.github/stats.svg', import.meta.url), 'utf8');

const topic = (name: string): string => topicText(name, screener) ?? '';

const OPTIONS: readonly OptionDeclaration[] = [
  ...GLOBAL_OPTIONS,
  ...everyPath([screener]).flatMap((path) => commandOf(path).options ?? []),
];

function optionNamed(long: string): OptionDeclaration {
  const option = OPTIONS.find((each) => flagsOf(each).long === long);
  if (option === undefined) throw new Error(`no option ${long}`);
  return option;
}

describe('exit codes', () => {
  // A shell's user sees 130 after Ctrl-C; a program that uses the tool sends no Ctrl-C.
  it.each(Object.keys(EXITS).filter((code) => code !== '130'))('%s is in SKILL.md', (code) => {
    const [, section = ''] = SKILL.split('## Exit codes');
    expect(section).toMatch(new RegExp(`(^|\\s)${code} [a-z]`));
  });
});

describe('credits', () => {
  const counted = Object.entries(LIMITS).filter(([name]) => name.startsWith('credits'));
  const limits = [
    ...counted.map(([name, most]) => ({ name, most: Number(most) })),
    ...WINDOWS.map(({ field, allowance }) => ({ name: field, most: allowance })),
  ];

  it.each(limits)('$most ($name) stand in README, the topic and SKILL.md', ({ name, most }) => {
    const figure = new RegExp(`(?<![\\d,.])${most.toLocaleString('en-US')}(?![\\d,.]\\d)`);
    const texts = { 'README.md': README, 'help credits': topic('credits'), 'SKILL.md': SKILL };
    const without = Object.entries(texts).filter(([, text]) => !figure.test(text));
    expect({ name, without: without.map(([text]) => text) }).toEqual({ name, without: [] });
  });
});

describe('a period of credits', () => {
  it.each(CREDIT_PERIODS)('of a $name is named by README and the topic', ({ name, credits }) => {
    const said = new RegExp(`\\b${credits.toLocaleString('en-US')}\\s+a ${name}\\b`);
    expect({ readme: README, topic: topic('credits') }).toEqual({
      readme: expect.stringMatching(said),
      topic: expect.stringMatching(said),
    });
  });

  it('has no other number in README, a topic or SKILL.md', () => {
    const allowed = [
      ...CREDIT_PERIODS.map(({ name, credits }) => ({ name, most: credits })),
      ...WINDOWS.map(({ name, allowance }) => ({ name, most: allowance })),
      { name: 'month', most: LIMITS.creditsPerMonth },
    ].map(({ name, most }) => `${most.toLocaleString('en-US')} a ${name}`);
    // The settings cost one a day.
    const others = ['1 a day'];
    const topics = topicNames.map((name): [string, string] => [`help ${name}`, topic(name)]);
    const texts = [['README.md', README], ['SKILL.md', SKILL], ...topics] as const;
    const said = texts.flatMap(([text, words]) => {
      const plain = words.replaceAll(/\s+/g, ' ');
      const before = plain.matchAll(
        /(\d[\d,.]*)(?: credits?| requests?)? (?:a|per) (minute|hour|day|week|month)\b/g,
      );
      const behind = plain.matchAll(/\bthe (minute|hour|day|week|month)'s (\d[\d,]*)/g);
      return [
        ...[...before].map(([, number, name]) => ({ text, limit: `${number} a ${name}` })),
        ...[...behind].map(([, name, number]) => ({ text, limit: `${number} a ${name}` })),
      ];
    });
    expect(said.filter(({ limit }) => ![...allowed, ...others].includes(limit))).toEqual([]);
    expect(said.map(({ limit }) => limit)).toEqual(expect.arrayContaining(allowed));
  });

  it('allows what examples of commands spend a day', () => {
    const remarks = everyPath([screener]).flatMap((path) => commandOf(path).examples);
    const spent = remarks.flatMap(([, remark]) => /^(\d+) credits a day$/.exec(remark)?.[1] ?? []);
    expect(spent.filter((credits) => Number(credits) > CREDITS_A_DAY)).toEqual([]);
    expect(spent.length, 'examples that say it').toBeGreaterThan(0);
  });
});

describe('what a command costs', () => {
  const priced = everyPath([screener]).flatMap((path) => {
    const { variants = [], cost } = commandOf(path);
    const answers = variants.flatMap(({ answer }) => answer ?? []);
    return answers.map((operation) => ({ command: commandWords(path), operation, cost }));
  });

  it.each(priced)('$command begins with the price of $operation', ({ operation, cost: words }) => {
    const { cost } = OPERATIONS[operation];
    const price = cost === 0 ? 'free' : pluralize(cost, 'credit');
    expect({ operation, price: words.slice(0, price.length) }).toEqual({ operation, price });
  });
});

describe('formats', () => {
  it('are listed where the environment sets one', () => {
    const line = /^ {2}SCREENER_OUTPUT +default format: (.*)$/m.exec(topic('environment'));
    expect(line?.[1]?.split(/, | or /)).toEqual([...FORMAT_NAMES]);
  });
});

describe('a default', () => {
  it.each([
    { option: '--max-wait', pattern: /`--max-wait` \((\S+)\)/ },
    { option: '--least', pattern: /`--least`, (\S+) pp after 24 h by\s+default/ },
    { option: '--max-age', pattern: /for (\S+)\s+\(`--max-age`\)/ },
  ])('of $option is the one that README names', ({ option, pattern }) => {
    const named = pattern.exec(README)?.[1];
    expect({ option, named }).toEqual({ option, named: optionNamed(option).default });
  });
});

it('the smallest difference that matters is said as verdicts say it', () => {
  const name = verdictName('small');
  const texts = { 'README.md': README, 'help figures': topic('figures'), 'SKILL.md': SKILL };
  // The skill speaks of points.
  const named = (text: string) => text.includes(name) || text.includes(`${name.slice(0, -2)}point`);
  const without = Object.entries(texts).filter(([, text]) => !named(text));
  expect({ name, without: without.map(([text]) => text) }).toEqual({ name, without: [] });
});

it('the numbers of the rule are those of README, its picture, `help figures` and CONTRIBUTING', () => {
  const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const figures = topic('figures').replaceAll(/\s+/g, ' ');
  expect({
    readme: {
      margin: numberIn(README, /difference to your other cards is more\s+than\s+(\S+)\s+pp/),
      kept: numberIn(README, /may\s+be\s+larger\s+than\s+(\S+)\s+times\s+that/),
    },
    picture: {
      margin: numberIn(PICTURE, /░ within ±(\S+) pp/),
      least: numberIn(PICTURE, /line is within ±(\d+(\.\d+)?)/),
    },
    figures: { margin: numberIn(figures, /wholly outside ±(\S+) pp/) },
    contributing: {
      margin: numberIn(CONTRIBUTING, /lies wholly above \+(\S+) pp/),
      least: numberIn(CONTRIBUTING, /interval lies within ±(\S+) pp/),
      kept: numberIn(CONTRIBUTING, /kept while it lies within ±(\d+(\.\d+)?)/),
    },
  }).toEqual({
    readme: { margin: MARGIN, kept: KEPT_SMALL },
    picture: { margin: MARGIN, least: DEFAULT_LEAST },
    figures: { margin: MARGIN },
    contributing: { margin: MARGIN, least: DEFAULT_LEAST, kept: KEPT_SMALL * DEFAULT_LEAST },
  });
});

it('README says after which times there is an outcome, when it is due, and which one is judged', () => {
  const outcome = /\*\*outcome\*\* is what the price\s+did (.*?) later/.exec(README)?.[1];
  const due = /\*\*due\*\* once those (\d+ \w+) are over/.exec(README)?.[1];
  const judged = /`--least`, \S+ pp after (.*?) by\s+default/.exec(README)?.[1];
  expect({ outcome, due: due?.replace(' hours', ' h'), judged }).toEqual({
    outcome: HORIZONS_IN_WORDS,
    due: OUTCOME_WORDS,
    judged: horizonOf(MAIN_HORIZON).shortWords,
  });
});

describe('the days of outcomes that a verdict needs', () => {
  const daysOf = ({ blockDays }: (typeof HORIZONS)[number]) => LEAST_CLUSTERS * blockDays.ofFewDays;
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

  it.each(HORIZONS)('after $shortWords are those of `help figures`', (horizon) => {
    const figure = new RegExp(
      `\\b${daysOf(horizon)}( days with outcomes)? after ${horizon.shortWords}`,
    );
    expect(plain(topic('figures'))).toMatch(figure);
  });

  it('are those of README', () => {
    const days = daysOf(horizonOf(MAIN_HORIZON));
    const named = [
      ...plain(README).matchAll(/(\d+) days (?:(?:with|of) outcomes|for a first verdict)/g),
    ];
    expect(named.map(([, count]) => Number(count))).toEqual(named.map(() => days));
    expect(named.length, 'how often README says it').toBeGreaterThan(1);
  });
});

describe('words that an option takes', () => {
  it.each(['--output', '--by', '--horizon'])('%s names each of them in its help', (long) => {
    const option = optionNamed(long);
    const offered = offeredFor(option);
    const words = offered?.kind === 'words' ? offered.words : [];
    const named: readonly string[] = option.about.match(/[\w-]+/g) ?? [];
    expect({ long, unnamed: words.filter((word) => !named.includes(word)) }).toEqual({
      long,
      unnamed: [],
    });
    expect(words.length, long).toBeGreaterThan(1);
  });
});
