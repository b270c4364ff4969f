/** The topics of `screener help TOPIC`, and the terms of `screener help TERM`: a text each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HORIZONS_IN_WORDS, OUTCOME_WORDS } from '../api/contract/horizons.ts';
import { andWords, orWords } from '../base/words.ts';
import {
  asksService,
  type CommandDeclaration,
  commandOf,
  commandWords,
  everyPath,
} from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/parts/global-options.ts';
import { DEFAULT_LEAST } from '../outcomes/question.ts';
import { FORMAT_NAMES, PROGRAM_FLAGS, PROGRAM_FORMATS } from '../output/formats.ts';
import { packageFolder } from '../version.ts';
import { columns, EXITS, optionLines, paragraph } from './help.ts';

/** Terms and what each means. A term may have several names, with commas between. */
type Glossary = readonly (readonly [names: string, about: string])[];

/** Terms about cards and outcomes. `help TERM` prints only the line of that term. */
const CARDS_AND_OUTCOMES: Glossary = [
  ['card', 'a recorded notification of one of your screeners'],
  ['outcome', `what the price did in the ${HORIZONS_IN_WORDS} after a card`],
  ['due', `of an outcome: its ${OUTCOME_WORDS} are over`],
  ['settled', 'of an outcome: measured or missing, no longer pending'],
  [
    'bought',
    'of an outcome: fetched for one credit, and kept; exports choose at random which, if credits do not cover all',
  ],
  ['missing', 'of an outcome: the service could not measure it'],
  [
    'figure',
    'of an outcome: its move. A bought outcome without a figure is missing, or the service has none for the card',
  ],
  ['history', 'what exports keep on this machine: cards, outcomes, verdicts'],
  ['number', 'at the trigger: an entry of entry_context'],
  ['trigger', 'what made a screener send a card, and when'],
  ['N, sample', 'outcomes measured; each horizon has its own'],
  ['size', 'of the move: median of the move without its sign'],
  [
    'vs BTC',
    "median of the card's move minus BTC's over the same time, in pp, without BTC's own cards",
  ],
  ['pp', 'percentage points: what a difference of two percentages is counted in'],
  ['medians', "the service's own, over all outcomes of a type in 30 days: 5 credits"],
  [
    'vs others',
    "vs BTC minus the median of your other types' cards of that UTC day: what moved them all cancels out",
  ],
];

/** `within 1 pp`: the name of the verdict `small` on screens. */
const SMALL = `within ${DEFAULT_LEAST} pp`;

/**
 * What was simulated, and in how many of 100 accounts it happened. Most of the accounts have six types, about 40 cards a day, and
 * 1,000 credits a month.
 */
const SIMULATED: Glossary = [
  ['no type differs', 'a false verdict in 1 to 2 within 90 days, in 5 to 6 within a year'],
  ['some differ', 'one that does not is called above or below in 4 to 6 within a year'],
  [
    'BTC trends',
    'and each type has symbols of its own: a false verdict in 6 to 11 within a year, if BTC moves by 0.4 to 1.2 % a day',
  ],
  [
    'a difference',
    'of +0.8 pp is found by day 60 in 44 and by day 90 in 71; of -1 pp in 83 and 98; of +1.5 pp in 38 and 68. If 30 days were listed at the start: in 60 and 82; 95 and 99; 58 and 78',
  ],
  [
    'it goes on',
    'yet "may have stopped working" is said within 100 days of 10 to 22, on 1 to 4 of these days; if it ended, of 52 to 82 after 20 days, and of 73 to 90 after 45 (2 to 12 outcomes a day)',
  ],
  [
    'a change',
    'of settings without effect "helped" in 1; in 3 if you always change the type that looks worst; in 9 if another of 3 to 6 types loses 2 pp about then. One of +1 pp is found within 60 days in 35 to 45, one of +2 pp in 90 or more',
  ],
  [
    'a number',
    'at the trigger that tells nothing is named in 1 to 6 (two simulations) within 180 days',
  ],
  [
    'outcomes',
    'as many as `tune` says a test needs: enough in 75 to 98, least often where cards come in bursts or from few symbols. The test is made by the day that it names in 71 to 100, on average in 89',
  ],
];

const VERDICT_TERMS: Glossary = [
  [
    'verdict',
    `what is known of a type against your other cards of the same day: above, below, ${SMALL}, unclear or too few days`,
  ],
  [
    'above, below',
    'the 99.7 % interval of the difference to your other cards is wholly outside ±0.1 pp; withdrawn when the 95 % interval reaches 0',
  ],
  [
    `${SMALL}, small`,
    'known to be smaller than --least, on whichever side: keep or drop it as you like',
  ],
  [
    'unclear',
    'none of these is known yet. "A verdict is likely by the end of Dec": four of five such verdicts come by then, many of them sooner. "3 pp or more would likely show": no verdict is expected within 90 days; "not sure yet": the difference is as large, but its interval still reaches ±0.1 pp. "4 % have no figure": these outcomes could decide either way',
  ],
  [
    'lately',
    'the last 30 days of a type that is above or below, and the time before. Both are compared with the same types, whose settings did not change. That a type does less now is said above three standard errors (99.7 % sure) and taken back ("no longer surely less") at two or fewer. The figure is left out if these types have less than a third of the outcomes of your other cards',
  ],
  [
    'silent',
    'switched on, but without a card for twice its longest pause, from 3 days on, or for 14 days: no more data comes',
  ],
  [
    'too few days',
    'fewer than 12 days with outcomes after 24 h, or 6 after 1 h; more if neighbouring days move alike',
  ],
  [
    'weak',
    'of a verdict, "from few days (22)" or "few days bought" on pages: it rests on fewer than 12 blocks of days; days that move alike are one block',
  ],
  ['since', 'the day on which an export found a verdict; later cards had no part in it'],
];

const WAYS_TO_CHOOSE_A_FORMAT = orWords(['-o FORMAT', ...PROGRAM_FLAGS, 'SCREENER_OUTPUT']);

/** The text of each topic. @param root the program, whose commands some texts list */
const TOPICS: Readonly<Record<string, (root: CommandDeclaration) => string>> = {
  options: () => `Options of every command, before or after its name

${optionLines([...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION]).join('\n')}
`,
  formats: () => `Output formats

  table    for people (the default); fits the terminal, complete in a pipe
  json     one JSON document: the service's own object, unchanged
  ndjson   one item per line, written as each page arrives
  csv      RFC 4180 with a header; the same columns for any rows

${paragraph(`Choose a format with ${WAYS_TO_CHOOSE_A_FORMAT}. It never depends on whether the output is a terminal.`)}

${paragraph(`Standard output carries data only. Notes, costs, progress, warnings and errors go to standard error; --quiet leaves only errors. In ${andWords(PROGRAM_FORMATS)} an error is one line of JSON; keys without a value are left out:`)}

  {"error":{"code","exit_code","status","message","hint",
            "retry_after","retry_at"}}

In csv, null is an empty cell, nested fields have dotted names, and lists and
entry_context are JSON text; --fields entry_context.NAME gives one number a
column. A text that a spreadsheet would run as a formula starts with '.

Units: *_pct is percent, *_percentage_points percentage points, *_usd USD.
fact_funding is a fraction: 0.0001 means 0.01 %; tables show it as percent.
Times are UTC; tables show them in the zone of SCREENER_TZ.

Windows PowerShell re-encodes what passes through > and |. Use cmd instead:

  cmd /c "screener signals ls --all --csv > cards.csv"
  cmd /c "type key.txt | screener login --base-url https://HOST/..."
`,
  environment: () => `Environment

  SCREENER_API_KEY      the key; overrides the saved one
  SCREENER_BASE_URL     the service's address, if --base-url is not given
  SCREENER_OUTPUT       default format: ${orWords(FORMAT_NAMES)}
  SCREENER_KEEP         credits of the month to leave untouched, like --keep
  SCREENER_DAILY        most credits a UTC day, for all programs here together
  SCREENER_HISTORY      directory of the default history
  SCREENER_TZ           time zone of tables, and of dates, today and yesterday:
                        Europe/Berlin, local (default: UTC)
  SCREENER_CONFIG_DIR   directory of what login saves
  SCREENER_STATE_DIR    directory of the credit ledger
  NO_COLOR              any value: no colours
  FORCE_COLOR           colours even without a terminal; 0 for none
  CLICOLOR              0: no colours
  CLICOLOR_FORCE        like FORCE_COLOR
  COLUMNS               width of tables on a terminal
  SCREENER_PAGER, PAGER shows long output (default: less, which q ends; empty or
                        cat: none, as with --no-pager)
  LESSSECURE            1 for the less that is started: it writes no files and
                        starts no programs. Empty: it may
  HTTPS_PROXY, ALL_PROXY, NO_PROXY
                        proxy for the service, socks5:// included; NO_PROXY has
                        names, addresses and networks (10.0.0.0/8)
  NODE_EXTRA_CA_CERTS   file of extra certificates to trust
  NODE_USE_SYSTEM_CA    1: trust the system's (Node 22.19, 24.6 or later)

The key is never an option: other users would see it in the list of processes.

Files: what login saves; the ledger; the history; and what may be deleted at any
time, the code that Node has compiled

  Linux     ~/.config/screener, ~/.local/state/screener,
            ~/.local/share/screener/history, ~/.cache/screener;
            or below XDG_CONFIG_HOME, ...
  macOS     ~/Library/Preferences/screener,
            ~/Library/Application Support/screener,
            ~/Library/Application Support/screener/history
            ~/Library/Caches/screener
  Windows   %APPDATA%\\screener\\Config
            %LOCALAPPDATA%\\screener\\State
            %LOCALAPPDATA%\\screener\\Data\\history
            %LOCALAPPDATA%\\screener\\Cache

Two accounts: give the second its own folders, in a script or an alias. Its key,
its ledger and its history then never meet those of the first:

  export SCREENER_CONFIG_DIR=~/second/config SCREENER_STATE_DIR=~/second/state
  export SCREENER_HISTORY=~/second/history
`,
  'exit-codes': () => `Exit codes

${columns(Object.entries(EXITS)).join('\n')}

With several ids, the cards that succeeded are printed; the code is that of the
first failure.
`,
  credits(root) {
    const paid = everyPath([root]).filter((path) => asksService(commandOf(path)));
    const costs = paid.map((path): [string, string] => [commandWords(path), commandOf(path).cost]);
    return `Credits

The service allows 1,000 credits a month, 150 a day and up to 15 requests a
minute, shared by the API, the MCP server and every machine of the account.

${columns([...costs, ['tune, report', 'free; send nothing']]).join('\n')}

The first signals export may take the day's 150. --plan says what a command
would cost and stops, --max-credits N is the most it may spend, --keep N leaves
N of the month's credits alone, SCREENER_DAILY=N bounds a UTC day. On a terminal
a command asks before it spends more than 10 credits; signals export only says
what it may cost.

All processes on this machine share a ledger of requests: they keep to the
allowance per minute and obey Retry-After together. \`screener access\` shows
what was spent. A request whose answer was lost may have been charged: it is
retried once if it costs at most 1 credit.

Where the API document says nothing, this program assumes that a day of credits
starts at midnight UTC and that failed requests may cost credits. After a 429
without Retry-After it waits a minute; after a 503 five seconds, then ten.
`;
  },
  figures: () => `Figures of a local history

${columns(VERDICT_TERMS).join('\n')}

Drop a type only if it is below BTC, too: one strong type makes the average ones
look bad.

${columns(CARDS_AND_OUTCOMES).join('\n')}

All are price movements, not trading profit. Cards name the type of the screener
that sent them, not the screener, and no direction of a trade. A type's cards
are those since its settings last changed (marked *), unless --since is a date.
Figures are of the last 180 days; --since all takes all days.

Verdicts rest on the service's medians over all outcomes (5 credits a type),
while its answer is at most 45 days old; on what you bought, where that is nine
in ten of a type's due outcomes, or where there is no such answer. A type of
which fewer than half of the cards have three others on their day is compared
with BTC, and so are types on one symbol. Symbols that move more than BTC rise
with it: that part is left out, and said where it is over 0.3 pp.

An export finds a verdict and writes it into the history's findings.ndjson.
"Above" and "below" stand on every screen until an export withdraws them. A
question of your own, by --since or --where, is one look without a date; try
many, and one will look significant by chance.

You may look every morning. How often that goes wrong was simulated, not seen: a
year of exports for 600 invented accounts in 19 kinds of markets (quiet, wild,
few symbols, days that move alike). Of 100 such accounts:

${columns(SIMULATED).join('\n')}

Real markets may be worse than invented ones.

tune: only stricter settings can be tested. "Kept minus dropped" compares each
card with the other types' cards of its day. What the advice says to expect is
less than was measured: the best of several looks better than it is. A number is
named only with a cut that clearly helps. A cut at 0 keeps one of two
directions. Advice stays the same until an export withdraws it.

stats --picked compares each card you picked with the cards of its type and UTC
day that you let pass. It cannot see when you picked: if you pick after the
move, your picks look better than they are. In invented accounts (32 cards a
day, half of them bought, 15 % picked) picks that were better by 1.5 pp were
called better after 60 days in 72 of 100, after 120 days in 98; picks at random
were called better or worse in fewer than 1 of 100.

today tells news for seven days. If nothing was exported for 36 hours, it says
so first. It lists the biggest moves if half of the day's cards are measured.

For statisticians

95 % intervals treat blocks of days and symbols as clusters (Cameron, Gelbach &
Miller 2011), after Woodruff (1952) and Francisco & Fuller (1991), with the
degrees of freedom of Bell & McCaffrey (2002). In invented histories they held
the true value in 92 % of cases or more; in 83 to 95 % if days in a row move
alike. With fewer than 8 symbols, figures are about these symbols alone.

Above or below is given when the 99.7 % interval lies beyond 0.1 pp, and kept
while the 95 % interval is clear of 0. Else a type is "${SMALL}" when its
95 % interval lies within --least, and stays so within 1.5 times that. A verdict
must hold wherever the type's outcomes without a figure lie (Imbens & Manski
2004); those of the other types count as lying alike. How much a symbol moves
with BTC is drawn towards that of its type's symbols, and a type's towards that
of all (DerSimonian & Laird 1986). A change of settings is judged at 99 %.

tune ranks a number at the trigger and the difference to BTC within each UTC day
(van Elteren 1960), adjusted over all numbers of all types (Holm at .05).
`,
  fields(root) {
    const commands = everyPath([root]).filter((path) => commandOf(path).variants !== undefined);
    return `Fields

Each command prints an object, or a list of them. --fields
id,outcome.move_1h_pct keeps only these fields, in every format; a dot leads
into an object. They are the names of JSON keys and the columns of CSV, and
--sort takes them. --plan prints all of its own fields.

  screener help fields COMMAND

${paragraph(`lists them with their units. COMMAND: ${commands.map(commandWords).join(', ')}.`)}
`;
  },
  cron: () => `A history that keeps itself up to date

On Linux and macOS, begin your crontab (crontab -e) with the line that this
prints, so that cron finds node and screener as your shell does:

  echo "PATH=$PATH"

Below it, add:

  17 */6 * * * screener signals export --keep 300 --quiet
  5 7 * * * screener signals export --check
  10 7 * * * screener today --changes

The first buys outcomes that are due and leaves 300 of the month's credits to
you. The second mails you if the history has stopped updating. The third mails
only news: what was found or withdrawn, what your change did, what fell silent
or ends soon. Cron needs a mail program (sendmail), and sends to MAILTO=ADDRESS:
without one nothing reaches you, and a push is the better way.

With systemd, these two files in ~/.config/systemd/user do what the export line
does, also if the machine was off at that time. The other two lines stay:

  # screener.service
  [Service]
  Type=oneshot
  Environment="PATH=/usr/local/bin:/usr/bin:/bin"
  ExecStart=/usr/bin/env screener signals export --keep 300 --quiet

  # screener.timer
  [Timer]
  OnCalendar=0/6:17
  Persistent=true
  [Install]
  WantedBy=timers.target

  systemctl --user enable --now screener.timer

Its errors are in journalctl --user -u screener. loginctl enable-linger lets it
run while you are not logged in.

For a push by ntfy, put these lines into a file, news.sh, and let cron run
sh ~/news.sh in place of the third line; if curl fails, the news is mailed:

  news=$(screener today --changes)
  [ -z "$news" ] || curl -fsS -o /dev/null -d "$news" https://HOST/TOPIC ||
    echo "$news"

A Telegram bot takes -d chat_id=ID --data-urlencode "text=$news" and
https://api.telegram.org/botTOKEN/sendMessage in their place.

To hear each new card at once, or give it as JSON to a program of yours:

  screener signals watch --bell --exec ./card.sh

On Windows:

  schtasks /Create /TN "screener export" /SC HOURLY /MO 6 /TR "cmd /c screener signals export --keep 300 --quiet"

Overlapping runs are safe: the second exits immediately. After a reboot, the
next run continues where the last one stopped.
`,
  recipes: () => `Recipes for other programs

Programs can read a history as it is: signals-YYYY-MM.ndjson, one card per line.
First go to its folder; screener help environment says where it is.

jq: the difference to BTC after 24 hours, card by card

  jq -r '.source_bot_type as $type | .outcome | select(.move_24h_pct != null
    and .btc_move_24h_pct != null) | [$type, .move_24h_pct - .btc_move_24h_pct]
    | @csv' signals-*.ndjson

DuckDB: its median by screener type

  duckdb -c "SELECT source_bot_type, count(*) AS cards,
    median(outcome.move_24h_pct - outcome.btc_move_24h_pct) AS vs_btc
    FROM read_json('signals-*.ndjson', union_by_name = true) GROUP BY 1"

Neither says how sure a figure is: screener stats --local --by type does.

Did I pick well? The file picks.txt has the ids of the cards that you acted on,
one a line, or cards as NDJSON:

  screener stats --local --picked picks.txt

awk: the ids from a broker's CSV whose header has a column card_id

  awk -F, '{ gsub(/[\\r"]/, "") } NR == 1 { for (i = 1; i <= NF; i++)
    if ($i == "card_id") id = i; next } id && $id { print $id }
    ' trades.csv > picks.txt

sh: a program for screener signals watch --exec ./pick.sh, which keeps the cards
that it acts on

  #!/bin/sh
  card=$(cat)
  # Decide here; exit leaves the card out.
  printf '%s\\n' "$card" >> picks.txt
`,
  // The file of the skill for agents, without its front matter: only installers read that.
  agents: () =>
    readFileSync(join(packageFolder, 'skills/screener/SKILL.md'), 'utf8').replace(
      /^---\n[\s\S]*?\n---\n\n/,
      '',
    ),
};

export const topicNames = Object.keys(TOPICS);

/** The text of a topic, or the line of a term; for `verdict` the lines of all verdicts. Undefined for any other word. */
export function topicText(name: string, root: CommandDeclaration): string | undefined {
  if (Object.hasOwn(TOPICS, name)) return TOPICS[name]?.(root);
  const word = name.toLowerCase();
  const term = [...CARDS_AND_OUTCOMES, ...VERDICT_TERMS].find(([names]) =>
    names.toLowerCase().split(', ').includes(word),
  );
  if (term === undefined) return undefined;
  const [names] = term;
  const lines = columns(names === 'verdict' ? VERDICT_TERMS : [term]);
  return `${lines.join('\n')}\n\nMore: screener help figures\n`;
}
