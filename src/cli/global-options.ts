import { type Command, Option } from 'commander';

/** As commander reads them: texts, checked in `read-globals.ts`. */
export interface RawGlobals {
  output?: string;
  json?: true;
  ndjson?: true;
  csv?: true;
  fields?: string;
  baseUrl?: string;
  demo?: true;
  maxCredits?: string;
  plan?: true;
  maxWait?: string;
  timeout?: string;
  /** False for --no-color. */
  color: boolean;
  quiet?: true;
  verbose?: true;
}

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;

/** The options every command takes, before or after its name. */
export function addGlobalOptions(program: Command): Command {
  return program
    .addOption(new Option('-o, --output <format>', 'table, json, ndjson or csv (default: table)'))
    .addOption(new Option('--json', 'short for --output json'))
    .addOption(new Option('--ndjson', 'short for --output ndjson'))
    .addOption(new Option('--csv', 'short for --output csv'))
    .addOption(new Option('--fields <names>', 'only these: id,created_at,outcome.move_1h_pct'))
    .addOption(new Option('--base-url <url>', 'of the service, ending in /api/external/v1'))
    .addOption(new Option('--demo', 'a built-in stand-in of the service, without a key'))
    .addOption(new Option('--max-credits <n>', 'spend at most n credits, retries included'))
    .addOption(new Option('--plan', 'say what the command would cost, and stop'))
    .addOption(new Option('--max-wait <duration>', 'longest wait before a retry (default: 60s)'))
    .addOption(new Option('--timeout <duration>', 'longest time for one request (default: 30s)'))
    .addOption(new Option('--no-color', 'no colours'))
    .addOption(new Option('-q, --quiet', 'nothing on stderr but errors'))
    .addOption(new Option('-v, --verbose', 'say more on stderr'));
}
