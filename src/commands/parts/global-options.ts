import * as v from 'valibot';
import { orWords } from '../../base/words.ts';
import { FORMAT_NAMES, PROGRAM_FORMATS, type ProgramFormat } from '../../output/formats.ts';
import type { OptionDeclaration } from './option.ts';
import { duration, names, text, wholeFrom, words } from './values.ts';

/** `--json` and so on. If two options exclude each other, only the first of them declares it. */
const FORMAT_SWITCHES = PROGRAM_FORMATS.map((name, index) => {
  const flags: `--${ProgramFormat}` = `--${name}`;
  const otherSwitches = PROGRAM_FORMATS.slice(index + 1).map((other) => `--${other}`);
  return {
    flags,
    about: `short for --output ${name}`,
    excludes: ['--output', ...otherSwitches],
  };
});

export const GLOBAL_OPTIONS = [
  {
    flags: '-o, --output <format>',
    about: orWords(FORMAT_NAMES),
    schema: words(FORMAT_NAMES),
    default: 'table',
    env: 'SCREENER_OUTPUT',
  },
  ...FORMAT_SWITCHES,
  {
    flags: '--fields <names>',
    about: 'only these fields: id,created_at,outcome.move_1h_pct',
    takes: { kind: 'fields' },
    schema: names,
  },
  {
    flags: '--base-url <url>',
    about: "the service's address; its path, /api/external/v1, may be left out",
    schema: v.pipe(text, v.metadata({ format: 'uri' })),
  },
  { flags: '--demo', about: 'use invented data from a built-in stand-in; needs no key' },
  {
    flags: '--max-credits <n>',
    about: 'spend at most n credits, retries included',
    schema: wholeFrom(0),
  },
  {
    flags: '--keep <n>',
    about: 'spend nothing if fewer than n would be left this month',
    schema: wholeFrom(0),
    env: 'SCREENER_KEEP',
  },
  {
    flags: '--yes',
    about:
      'do not ask before spending more than 10 credits (signals export never asks: it says what it may cost)',
  },
  { flags: '--plan', about: 'show what the command would cost, and stop' },
  {
    flags: '--max-wait <duration>',
    about: 'longest wait before a retry',
    schema: duration(),
    default: '60s',
  },
  {
    flags: '--timeout <duration>',
    about: 'longest time for one request',
    schema: duration('For example --timeout 10s.', { isPositive: true }),
    default: '30s',
  },
  { flags: '--no-color', about: 'no colours' },
  { flags: '--no-pager', about: 'do not page long output' },
  { flags: '-q, --quiet', about: 'only errors on stderr' },
  { flags: '-v, --verbose', about: 'more on stderr' },
] as const satisfies readonly OptionDeclaration[];

export const VERSION_OPTION: OptionDeclaration = {
  flags: '-V, --version',
  about: 'print the version',
};
export const HELP_OPTION: OptionDeclaration = { flags: '-h, --help', about: 'show this help' };
