import { type CommandDeclaration, commandOf, everyPath } from './declaration.ts';
import { EXITS } from './exits.ts';
import { columns } from './wrap.ts';

const FORMATS = `Output formats

  table    for people (the default); colours and width fit the terminal; piped,
           it is plain and nothing is shortened
  json     exactly one JSON document: the service's own object, unchanged, with
           fields this version does not know; several pages become one page
  ndjson   one item a line, written as each page arrives
  csv      RFC 4180 with a header; nested fields by dotted name

Choose with -o FORMAT, --json, --ndjson, --csv or SCREENER_OUTPUT. The format
never depends on whether standard output is a terminal.

Standard output carries data only. Notes, costs, progress, warnings and errors
go to standard error; --quiet leaves only the errors. In json, ndjson and csv an
error is one JSON line, absent keys left out:

  {"error":{"code","exit_code","status","message","hint",
            "retry_after","retry_at"}}

--fields id,outcome.move_1h_pct keeps only those fields, in every format.

In csv, null is an empty cell, an empty text is "", a list is JSON text, and a
text that a spreadsheet would run as a formula begins with an apostrophe.

Units: *_pct fields are percent, *_percentage_points percentage points, *_usd
USD. fact_funding is a fraction: 0.0001 means 0.01 %; tables show it as percent.
All times are UTC.
`;

const ENVIRONMENT = `Environment

  SCREENER_API_KEY      the key; goes before the saved one
  SCREENER_BASE_URL     the service's address; goes before the saved one, and a
                        --base-url before both
  SCREENER_OUTPUT       default format: table, json, ndjson or csv
  SCREENER_CONFIG_DIR   where login saves (default: ~/.config/screener)
  SCREENER_STATE_DIR    where the credit ledger is kept, and what completion
                        offers (default: ~/.local/state/screener)
  NO_COLOR              set to anything: no colours
  FORCE_COLOR           colours also without a terminal; 0 for none
  COLUMNS               width of tables on a terminal
  HTTPS_PROXY, NO_PROXY
                        proxy for the service; never used for this machine
  XDG_CONFIG_HOME, XDG_STATE_HOME
                        are respected

The key never comes from an option: it would show in the list of processes.
`;

const exitCodes = () => `Exit codes

${columns(EXITS.map(({ code, long }) => [String(code), long])).join('\n')}

With several ids, what succeeded is printed and the code is the first failure's.
`;

const credits = (root: CommandDeclaration) => `Credits

The service allows 1,000 credits a month, 150 a day and up to 15 requests a
minute, shared by the API, the MCP server and every machine of the account.

${columns(costs(root)).join('\n')}

  --plan               says what a command would cost, and stops
  --max-credits N      a hard ceiling for one run, retries included

Every request is written to a ledger before it is sent, and what came of it
after. All processes of this machine read it: together they keep to the
allowance of a minute, wait their turn, and stay away as long as the service has
said with Retry-After. After a command one line on standard error says what it
spent. \`screener access\` shows the day by operation, and what was spent
elsewhere.

Not in the service's document, so not known here: whether failed requests cost
credits (they are counted apart, as possible), and when its day begins (UTC
midnight is assumed).
`;

/** What every command that asks the service costs, by its own declaration. */
function costs(root: CommandDeclaration): [command: string, cost: string][] {
  return everyPath([root])
    .filter((path) => path.length > 1 && commandOf(path).act !== undefined && commandOf(path).exits.includes(8))
    .map(([, ...path]) => [path.map(({ name }) => name).join(' '), commandOf([root, ...path]).cost]);
}

const TOPICS: Readonly<Record<string, (root: CommandDeclaration) => string>> = {
  formats: () => FORMATS,
  environment: () => ENVIRONMENT,
  'exit-codes': exitCodes,
  credits,
};

export const topicNames = Object.keys(TOPICS);

export function topicText(name: string, root: CommandDeclaration): string | undefined {
  return Object.hasOwn(TOPICS, name) ? TOPICS[name]?.(root) : undefined;
}
