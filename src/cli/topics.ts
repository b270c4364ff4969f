import { asksService, type CommandDeclaration, commandOf, everyPath } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import { EXITS } from './exits.ts';
import { optionLines } from './help.ts';
import { columns } from './wrap.ts';

const FORMATS = `Output formats

  table    for people (the default); colours and width fit the terminal; piped,
           it is plain and nothing is shortened
  json     exactly one JSON document: the service's own object, unchanged, with
           fields this version does not know; several pages become one page
  ndjson   one item a line, written as each page arrives
  csv      RFC 4180 with a header; the same columns whatever the rows: nested
           fields by dotted name, an object of any keys as one cell of JSON,
           a key of it where --fields names it

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
All times are UTC; tables show them in the zone of SCREENER_TZ.

Windows PowerShell encodes anew what its own > and | pass on. Let cmd do it:

  cmd /c "screener signals ls --all --csv > cards.csv"
  cmd /c "type key.txt | screener login --base-url https://HOST/..."
`;

const CRON = `A history kept by itself

On Linux and macOS, in the crontab of your own user (crontab -e); 5 * * * * is
once an hour:

  5 * * * * screener signals export --keep 300 --quiet
  30 9 * * * screener signals export --check

The first buys what has become due and leaves 300 credits of the month for you.
The second says one line, which cron mails, where the history is not being kept.
Give the whole path where cron does not find screener: command -v screener.

On Windows:

  schtasks /Create /TN "screener export" /SC HOURLY /MO 6 /TR "cmd /c screener signals export --keep 300 --quiet"

Two runs at once do no harm: the second ends at once. A machine that was off
goes on where it stopped.
`;

const ENVIRONMENT = `Environment

  SCREENER_API_KEY      the key; overrides the saved one
  SCREENER_BASE_URL     the service's address; overrides the saved one, and
                        --base-url both
  SCREENER_OUTPUT       default format: table, json, ndjson or csv
  SCREENER_KEEP         credits of the month that stay untouched; --keep
                        overrides it
  SCREENER_HISTORY      directory of the default history
  SCREENER_TZ           zone of times in tables, and of dates, today and
                        yesterday: Europe/Berlin, local (default: UTC)
  SCREENER_CONFIG_DIR   where login saves
  SCREENER_STATE_DIR    where the credit ledger is kept, and what completion
                        offers
  NO_COLOR              set to anything: no colours
  FORCE_COLOR           colours also without a terminal; 0 for none
  COLUMNS               width of tables on a terminal
  SCREENER_PAGER, PAGER
                        shows what is longer than the screen (default: less;
                        empty or cat: none)
  HTTPS_PROXY, ALL_PROXY, NO_PROXY
                        proxy for the service, also socks5://; never used for
                        this machine
  NODE_EXTRA_CA_CERTS   file with certificates to trust, as of a company's proxy
  NODE_USE_SYSTEM_CA    1: trust this system's (Node 22.19, 24.6 or later)
  XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME
                        are respected on Linux

The key never comes from an option: it would show in the list of processes.

Files

Unless a variable above names another place:

  What login saves:
  Linux     ~/.config/screener
  macOS     ~/Library/Preferences/screener
  Windows   %APPDATA%\\screener\\Config

  The ledger, and what completion offers:
  Linux     ~/.local/state/screener
  macOS     ~/Library/Application Support/screener
  Windows   %LOCALAPPDATA%\\screener\\State

  The history:
  Linux     ~/.local/share/screener/history
  macOS     ~/Library/Application Support/screener/history
  Windows   %LOCALAPPDATA%\\screener\\Data\\history
`;

const FIGURES = `Figures of a local history

Every figure is of price movements after a trigger, not of trading profit. A
card says neither which of your screeners it came from, only its type, nor in
which direction you would have traded.

  sample               cards with a measured move; each horizon has its own
  median, quartiles    type 7 of Hyndman & Fan (1996), as R and numpy
  size of the move     median of the move without its sign
  vs BTC               median of the card's move minus BTC's over the same time,
                       in percentage points; cards of BTC itself are left out
  vs others            the same minus the median of the other groups' cards of
                       that UTC day: what the market did to all cancels. It is
                       relative: beside one good type a neutral one is below
  bought               share of the outcomes that are due and were bought; a
                       sample that is not random may mislead
  missing              the interval, wherever the missing moves may lie (Imbens
                       & Manski 2004)

95 % intervals. Days are clusters: one UTC day for the move after 1 h; blocks of
two for 24 h, of three from 36 days on, longer where days in a row go together.
The share of cards below the median gets the variance that clusters of days and
of symbols give it (Cameron, Gelbach & Miller 2011); the interval takes the
moves at one half plus and minus t times its root (Woodruff 1952; Francisco &
Fuller 1991), with the degrees of freedom of Bell & McCaffrey (2002). Fewer than
6 clusters give no interval; with fewer than 12 a verdict is weak.

How far that holds, in 200 to 1,000 invented histories of known truth each:

  with 12 to 180 days, heavy tails, skew, days of crashes, types that fire on
  other days than the rest, one symbol of 40 % or all symbols with lasting
  effects                                                         92 % and more
  days that go together (an autoregression of 0.6): 60 days       89 to 95 %
    180 days                                                      92 to 96 %
    12 to 30 days: too few to see it                              83 to 95 %
  large moves missing more often than small ones                  87 %
    the interval that reckons with missing outcomes               98 %

With fewer than 8 symbols, figures are of these symbols alone.

Verdicts, after Holm's adjustment (1979) for all groups of one horizon and one
comparison: if none truly differs, any of 8 types was said to in 0 to 6 of 100
histories; over both horizons and both comparisons together in 2 to 14.

  above, below         the median difference is not zero
  none                 it is smaller than --least, and that is known
  unclear              neither is known; with the difference that would show now
  too few days         fewer than 6 clusters

Asking again is not adjusted for: try ten values of --since and one will look
significant by chance. Where the history holds the service's own medians by type
(signals export buys them), verdicts vs others use them: vs_others_from. Those
that are stale, of another number of cards than the history has, or unlike what
was bought (99.9 %) are left out: one that is 6 points wrong after 24 h is
noticed from 20 bought outcomes of the type on, 3 points from 80, 1 point from
640; with fewer than 5 nothing checks it (service_checked). An answer for
another month that is not marked stale may go unnoticed. With no more than 60
bought outcomes, and types that fire on other days than the rest, chance made
some winner in 6 to 7 of 100 histories. Against BTC they are not used: where
days go together that was wrong too often.

What a key tells (tune). Ranks within each UTC day, of a number known at the
trigger and of the difference to BTC: what the market did to all cards cancels
(van Elteren 1960). The variance is that of days, of symbols or of both,
whichever is largest; Holm's adjustment is over the keys of a type. In 1,000
invented histories of each kind in which no key told anything, one test at 5 %
called 1 to 9 of 100 keys, from 60 cards on, and any of 8 to 10 keys of a type
was called clear in 1 to 7. The exception: a key that says how strongly a symbol
follows the market, where that goes one way for days and there are no more than
30 of them: 9 to 12 of 100.
  expect               the median of kept less dropped cards of the same day,
                       made smaller as Holm's adjustment makes the test: a key
                       that passes looks better than it is (0.3 points too much
                       of 1.2; so 0.2 too little to 0.2 too much, from 8 cards
                       a day on). Kept vs BTC is left as it is: up to 0.2 too
                       much where a key barely passes

Settings. Where the history has looks at your settings (screeners.ndjson), a
change within the window is named, with the command that avoids mixing.

Unusual (today). The last 24 h end where the history does. Their count of cards
is unusual outside the range of 95 % of the 28 days before (from 14 days on); a
symbol with at least 5 cards and 4 times its usual day; a screener without a
card for 14 days though it is switched on, or for as long as 8 cards usually
take. Medians of settled outcomes are said from 6 on.
`;

const exitCodes = () => `Exit codes

${columns(EXITS.map(({ code, about }) => [String(code), about])).join('\n')}

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

Where the service's document is silent, this is assumed: a day of credits begins
at midnight UTC; failed requests may cost credits, and are counted apart; 429
without Retry-After asks to wait a minute, 503 five seconds, then ten, twenty.
Keys of conditions and entry_context are shown as they come.
`;

/** What every command that asks the service costs, by its own declaration. */
function costs(root: CommandDeclaration): [command: string, cost: string][] {
  return everyPath([root])
    .filter((path) => asksService(commandOf(path)))
    .map(([, ...path]) => [path.map(({ name }) => name).join(' '), commandOf([root, ...path]).cost]);
}

const globalOptions = () => `Options of every command, before or after its name

${optionLines([...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION]).join('\n')}
`;

const FIELDS = 'fields';

const AGENTS = `# screener, used by a program

Credits are scarce: 1,000 a month, 150 a day, shared by every machine of the account. Signals are read from a local
history for 0 credits; the service is asked only for what the history lacks.

## In this order

1. \`screener today --json\`: how old the history is, credits left, what is unusual. 0 credits.
2. \`screener stats --local --by type --json\`: every screener type, both verdicts. 0 credits.
3. \`screener tune --json\`: stricter settings worth trying, from numbers known at the trigger. 0 credits.
4. \`screener screeners --local --json\`: each screener's settings, cards a day, verdict. 0 credits.

No history yet (exit 1, \`no_history\`): \`screener signals export --plan --json\` says what one would cost; the user
decides. With \`--demo\` every command runs on invented data, without a key.

## Rules

- Before anything that costs: the same command with \`--plan --json\`; then with \`--max-credits N\`.
- Read \`verdict\` and \`verdict_vs_others\`. \`none\`: no difference that matters, and that is known. \`unclear\` and
  \`too_few_days\` are answers: say them, with \`would_show_percentage_points\`.
- Keep a type that is \`above_btc\` and \`above_others\`. Propose to drop one that is \`below_btc\`. \`below_others\` alone says
  only that the user's other types did better: name it, and propose nothing before \`verdict\` is clear.
- Where \`settings_changes\` names a type, its figures in \`stats\` mix old and new settings: take those of \`screeners --local\`.
- A cut in \`tune\` is a key of \`entry_context\`; its setting may have another name in \`conditions\`. Propose one whose
  \`kept_vs_dropped_interval\` lies above zero; \`kept_vs_dropped\` is what to expect.
- Do not try windows, filters or cuts until one looks good: the more are tried, the surer one does by chance. The
  verdicts are adjusted for the groups of one command, not for several commands.
- Moves are price movements after a trigger, not profit. The direction that one would have traded is not known.
- A card's \`fact_*\` are of its latest update; what was known at the trigger is \`entry_context\`.

## Output

- \`--json\`: one document on stdout. \`--ndjson\`: an item a line. \`--fields a,b.c\` keeps it small. Stderr: notes; with
  \`--json\` an error is one line \`{"error":{"code","exit_code","message","hint","retry_at"}}\`.
- \`screener help --json\`: all commands. \`screener help stats --json\`: one of them, with the JSON Schemas of its outputs.

## Exit codes

0 done. 2 wrong usage: mend the command line. 3 not logged in: ask the user. 7 out of credits, and 8 unavailable: come
back later, at \`retry_at\`; do not repeat at once. 9 an answer that does not match the document: report it. 1 a file, or
no history yet. 130 interrupted.
`;

const TOPICS: Readonly<Record<string, (root: CommandDeclaration) => string>> = {
  options: globalOptions,
  formats: () => FORMATS,
  environment: () => ENVIRONMENT,
  'exit-codes': exitCodes,
  credits,
  figures: () => FIGURES,
  cron: () => CRON,
  agents: () => AGENTS,
};

export const topicNames = [...Object.keys(TOPICS), FIELDS];

/** The text of a topic but `fields`, which is about a command. */
export function topicText(name: string, root: CommandDeclaration): string | undefined {
  return Object.hasOwn(TOPICS, name) ? TOPICS[name]?.(root) : undefined;
}
