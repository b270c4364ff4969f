import { FORMATS } from '../output/types.ts';
import type { OptionDeclaration } from './declaration.ts';
import { COUNT, durationBy, TEXT } from './value-schemas.ts';

/** The options every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionDeclaration[] = [
  {
    flags: '-o, --output <format>',
    about: 'table, json, ndjson or csv (default: table)',
    takes: { kind: 'words', words: FORMATS },
    schema: { enum: FORMATS, default: 'table' },
  },
  { flags: '--json', about: 'short for --output json', excludes: ['--output', '--ndjson', '--csv'] },
  { flags: '--ndjson', about: 'short for --output ndjson', excludes: ['--output', '--csv'] },
  { flags: '--csv', about: 'short for --output csv', excludes: ['--output'] },
  {
    flags: '--fields <names>',
    about: 'only these: id,created_at,outcome.move_1h_pct',
    takes: { kind: 'fields' },
    schema: TEXT,
  },
  {
    flags: '--base-url <url>',
    about: 'of the service, ending in /api/external/v1',
    takes: { kind: 'free' },
    schema: { ...TEXT, format: 'uri' },
  },
  { flags: '--demo', about: 'a built-in stand-in of the service, without a key' },
  {
    flags: '--max-credits <n>',
    about: 'spend at most n credits, retries included',
    takes: { kind: 'free' },
    schema: COUNT,
  },
  {
    flags: '--keep <n>',
    about: 'spend nothing that would leave fewer than n this month',
    takes: { kind: 'free' },
    schema: COUNT,
  },
  { flags: '--plan', about: 'say what the command would cost, and stop' },
  {
    flags: '--max-wait <duration>',
    about: 'longest wait before a retry (default: 60s)',
    takes: { kind: 'free' },
    schema: durationBy('60s'),
  },
  {
    flags: '--timeout <duration>',
    about: 'longest time for one request (default: 30s)',
    takes: { kind: 'free' },
    schema: durationBy('30s'),
  },
  { flags: '--no-color', about: 'no colours' },
  { flags: '--no-pager', about: 'a long table or help is not shown page by page' },
  { flags: '-q, --quiet', about: 'nothing on stderr but errors' },
  { flags: '-v, --verbose', about: 'say more on stderr' },
];

/** The program's own. */
export const VERSION_OPTION: OptionDeclaration = { flags: '-V, --version', about: 'print the version' };

/** Every command's own. */
export const HELP_OPTION: OptionDeclaration = { flags: '-h, --help', about: 'show this help' };
