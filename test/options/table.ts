/** Every option of every command: a command line, the option, and what is different with it. A new option needs a row. */
import type { HereOptions } from '../support/in-process.ts';

/** What a run leaves behind: files of the user but for those of the program's own folders. */
export type Part = 'code' | 'stdout' | 'stderr' | 'requests' | 'files';

export interface Row {
  /** The command line without the option: words with blanks between. */
  readonly line: string;
  /** The option with its value, put behind the line. */
  readonly option: readonly string[];
  /** Exactly these differ. None is right only for what an option names anyway: `why` says so. */
  readonly changes: readonly Part[];
  readonly why?: string;
  /** What standard output and standard error say with the option. */
  readonly says?: RegExp;
  /** Command lines that both runs follow, at a terminal. */
  readonly before?: readonly string[];
  /** How many cards the account has; without it those of the demo. */
  readonly cards?: number;
  readonly creditsAMonth?: number;
  /** How the service fails, as `--fault` says it. */
  readonly faults?: readonly string[];
  /** A timer of so many milliseconds is over as soon as the service hears a request, before the answer comes. */
  readonly timer?: number;
  readonly how?: Partial<Pick<HereOptions, 'tty' | 'rows' | 'stdin' | 'isTyped' | 'env'>>;
}

const TABLE = { tty: 100 };
const AT_A_TERMINAL = { ...TABLE, isTyped: true, stdin: 'n\r' };

/** Into a history of its own. */
const EXPORT = 'signals export ~/new --no-stats --no-screeners';
const SMALL = { cards: 60 };
const WATCH = 'signals watch --max-credits 2 --ndjson';

/** The default history is read anyway. */
const LOCAL_IS_USUAL = { option: ['--local'], changes: [], why: 'it reads no other history' };
const FROM = { option: ['--from', '~/other'], changes: ['stdout'] } as const;

/** By the words of a command, then by the option's long name. Those of every command are at `''`. */
export const ROWS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  '': {
    '--output': { line: 'snapshot', option: ['--output', 'csv'], changes: ['stdout'] },
    '--json': {
      line: 'snapshot',
      option: ['--json'],
      changes: ['stdout'],
      says: /^\{\n {2}"scope"/,
    },
    '--ndjson': { line: 'signals ls -n 3', option: ['--ndjson'], changes: ['stdout'] },
    '--csv': { line: 'snapshot', option: ['--csv'], changes: ['stdout'], says: /^scope,/ },
    '--fields': {
      line: 'snapshot --json',
      option: ['--fields', 'sample'],
      changes: ['stdout'],
      says: /^\{\n {2}"sample": \d+\n\}\n/,
    },
    '--base-url': {
      line: 'snapshot',
      option: ['--base-url', 'http://127.0.0.1:9/api/external/v1'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
      says: /ECONNREFUSED/,
    },
    '--demo': {
      line: 'snapshot',
      option: ['--demo'],
      changes: ['stderr', 'requests'],
      says: /Demo: invented data, no key/,
    },
    '--max-credits': {
      line: 'signals ls -n 60 --json',
      option: ['--max-credits', '2'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
      says: /--max-credits 2 is reached/,
    },
    '--keep': {
      line: 'snapshot --json',
      option: ['--keep', '1000'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
      says: /--keep 1000/,
    },
    '--yes': {
      line: 'signals ls -n 10 --outcomes',
      option: ['--yes'],
      how: AT_A_TERMINAL,
      changes: ['code', 'stdout', 'stderr', 'requests', 'files'],
    },
    '--plan': {
      line: 'signals ls -n 60',
      option: ['--plan'],
      changes: ['stdout', 'stderr', 'requests'],
      says: /^Credits +1 to 3$/m,
    },
    '--max-wait': {
      line: 'snapshot',
      option: ['--max-wait', '5s'],
      faults: ['snapshot:1:503:retry-after=30'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
    },
    '--timeout': {
      line: 'snapshot',
      option: ['--timeout', '77'],
      timer: 77_000,
      changes: ['code', 'stdout', 'stderr', 'requests'],
      says: /The answer was lost: no complete answer within 77 s\./,
    },
    '--no-color': {
      line: 'snapshot',
      option: ['--no-color'],
      how: TABLE,
      changes: ['stdout', 'stderr'],
    },
    '--no-pager': {
      line: 'signals ls --local -n 60',
      option: ['--no-pager'],
      how: { ...TABLE, rows: 30, env: { SCREENER_PAGER: "sed -n 'w HOME/paged'" } },
      changes: ['stdout', 'files'],
    },
    '--quiet': { line: 'snapshot', option: ['--quiet'], changes: ['stderr'] },
    '--verbose': { line: 'snapshot', option: ['--verbose'], changes: ['stderr'] },
    '--version': {
      line: 'snapshot',
      option: ['--version'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--help': { line: 'snapshot', option: ['--help'], changes: ['stdout', 'stderr', 'requests'] },
  },
  today: {
    '--refresh': {
      line: 'today --json',
      option: ['--refresh'],
      changes: ['stdout', 'stderr', 'requests', 'files'],
    },
    '--changes': { line: 'today', option: ['--changes'], changes: ['stdout'] },
    '--local': { line: 'today', ...LOCAL_IS_USUAL },
    '--from': { line: 'today', ...FROM },
  },
  tune: {
    '--local': { line: 'tune', ...LOCAL_IS_USUAL },
    '--from': { line: 'tune', ...FROM },
    '--since': { line: 'tune --json', option: ['--since', '30d'], changes: ['stdout'] },
    '--until': { line: 'tune --json', option: ['--until', '2026-11-01'], changes: ['stdout'] },
    '--symbol': { line: 'tune --json', option: ['--symbol', 'BTCUSDT'], changes: ['stdout'] },
    '--type': { line: 'tune', option: ['--type', 'oi_growth'], changes: ['stdout'] },
    '--where': {
      line: 'tune --json',
      option: ['--where', 'oi_change_pct>=3'],
      changes: ['stdout', 'stderr'],
      says: /Values tried by hand are not adjusted for/,
    },
    '--key': { line: 'tune --json', option: ['--key', 'oi_change_pct'], changes: ['stdout'] },
    '--horizon': { line: 'tune --json', option: ['--horizon', '1h'], changes: ['stdout'] },
    '--detail': { line: 'tune', option: ['--detail'], changes: ['stdout'] },
  },
  report: {
    '--from': { line: 'report -', ...FROM },
    '--since': { line: 'report -', option: ['--since', '30d'], changes: ['stdout'] },
    '--until': { line: 'report -', option: ['--until', '2026-11-01'], changes: ['stdout'] },
    '--symbol': { line: 'report -', option: ['--symbol', 'BTCUSDT'], changes: ['stdout'] },
    '--type': { line: 'report -', option: ['--type', 'oi_growth'], changes: ['stdout'] },
    '--where': {
      line: 'report -',
      option: ['--where', 'oi_change_pct>=3'],
      changes: ['stdout', 'stderr'],
    },
    '--open': {
      line: 'report ~/page.html',
      option: ['--open'],
      how: { env: { PATH: '/nowhere' } },
      changes: ['stderr'],
      says: /No desktop found: open the file in a browser\./,
    },
  },
  stats: {
    '--type': {
      line: 'stats --json',
      option: ['--type', 'oi_growth'],
      changes: ['stdout', 'requests', 'files'],
    },
    '--local': { line: 'stats', option: ['--local'], changes: ['stdout', 'stderr', 'requests'] },
    '--from': {
      line: 'stats',
      option: ['--from', '~/other'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--since': { line: 'stats --local', option: ['--since', '30d'], changes: ['stdout'] },
    '--until': { line: 'stats --local', option: ['--until', '2026-11-01'], changes: ['stdout'] },
    '--symbol': { line: 'stats --local', option: ['--symbol', 'BTCUSDT'], changes: ['stdout'] },
    '--where': {
      line: 'stats --local',
      option: ['--where', 'oi_change_pct>=3'],
      changes: ['stdout', 'stderr'],
    },
    '--by': { line: 'stats --local', option: ['--by', 'type'], changes: ['stdout'] },
    '--sort': {
      line: 'stats --local --by type --csv',
      option: ['--sort', 'rows'],
      changes: ['stdout'],
    },
    '--min-sample': {
      line: 'stats --local --by type',
      option: ['--min-sample', '200'],
      changes: ['stdout'],
      says: /^Not shown: \d groups? with fewer outcomes than --min-sample\.$/m,
    },
    '--least': {
      line: 'stats --local --by type --json',
      option: ['--least', '3'],
      changes: ['stdout'],
    },
    '--horizon': {
      line: 'stats --local --by type',
      option: ['--horizon', '1h'],
      changes: ['stdout'],
      says: /^1 h after the trigger/m,
    },
    '--detail': { line: 'stats --local', option: ['--detail'], changes: ['stdout'] },
    '--picked': {
      line: 'stats --local',
      option: ['--picked', '-'],
      changes: ['stdout'],
      says: /^Unknown +1: this history does not have 1$/m,
      how: { stdin: '1\n' },
    },
  },
  screeners: {
    '--type': { line: 'screeners --local', option: ['--type', 'price_spike'], changes: ['stdout'] },
    '--local': {
      line: 'screeners',
      option: ['--local'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--from': {
      line: 'screeners',
      option: ['--from', '~/other'],
      changes: ['stdout', 'stderr', 'requests'],
    },
  },
  'signals ls': {
    '--since': {
      line: 'signals ls --json',
      option: ['--since', '1h'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--until': {
      line: 'signals ls --json',
      option: ['--until', '2026-11-20'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--symbol': {
      line: 'signals ls --json',
      option: ['--symbol', 'BTCUSDT'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--type': {
      line: 'signals ls --json',
      option: ['--type', 'breakout'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--cursor': {
      line: 'signals ls --json',
      option: ['--cursor', 'nonsense'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
    },
    '--next': {
      line: 'signals ls -n 3 --json',
      option: ['--next'],
      before: ['signals ls -n 3'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--limit': {
      line: 'signals ls --json',
      option: ['--limit', '3'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--all': {
      line: 'signals ls --since 3d --json',
      option: ['--all'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--outcomes': {
      line: 'signals ls -n 3 --json',
      option: ['--outcomes'],
      changes: ['stdout', 'stderr', 'requests', 'files'],
    },
    '--local': {
      line: 'signals ls -n 3',
      option: ['--local'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--from': {
      line: 'signals ls -n 3',
      option: ['--from', '~/other'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--where': {
      line: 'signals ls --local --json',
      option: ['--where', 'fact_oi_usd>1e8'],
      changes: ['stdout'],
    },
    '--sort': {
      line: 'signals ls --local --json',
      option: ['--sort', 'outcome.move_24h_pct'],
      changes: ['stdout'],
    },
  },
  'signals show': {
    '--local': { line: 'signals show ID', option: ['--local'], changes: ['stderr'] },
    '--from': {
      line: 'signals show ID',
      option: ['--from', '~/other'],
      changes: ['code', 'stdout', 'stderr'],
      says: /Card \d+ is not in the history\./,
    },
    '--fresh': {
      line: 'signals show ID',
      option: ['--fresh'],
      changes: ['stderr', 'requests', 'files'],
    },
  },
  'signals export': {
    '--since': {
      line: `${EXPORT} --no-outcomes`,
      option: ['--since', '1d'],
      ...SMALL,
      changes: ['stderr', 'requests', 'files'],
    },
    '--no-outcomes': {
      line: EXPORT,
      option: ['--no-outcomes'],
      ...SMALL,
      changes: ['stderr', 'requests', 'files'],
      says: /0 of \d+ due outcomes bought/,
    },
    '--focus': {
      line: `${EXPORT} --max-credits 9`,
      option: ['--focus', 'oi_growth'],
      ...SMALL,
      changes: ['stderr', 'requests', 'files'],
    },
    '--all-credits': {
      line: EXPORT,
      option: ['--all-credits'],
      ...SMALL,
      creditsAMonth: 30,
      changes: ['stderr', 'requests', 'files'],
    },
    '--no-screeners': {
      line: `${EXPORT} --no-outcomes`.replace(' --no-screeners', ''),
      option: ['--no-screeners'],
      ...SMALL,
      changes: ['stderr', 'requests', 'files'],
    },
    '--no-stats': {
      line: 'signals export ~/unasked --no-outcomes --no-screeners',
      option: ['--no-stats'],
      changes: ['stderr', 'requests', 'files'],
    },
    '--adopt': {
      line: 'signals export ~/foreign --no-outcomes --no-stats --no-screeners',
      option: ['--adopt'],
      changes: ['code', 'stderr', 'requests', 'files'],
    },
    '--check': {
      line: 'signals export --no-outcomes --no-stats',
      option: ['--check'],
      changes: ['stderr', 'requests', 'files'],
    },
    '--max-age': {
      line: 'signals export --check',
      option: ['--max-age', '1h'],
      changes: ['code', 'stderr'],
      says: /The last successful export into .* was 1 hour ago\./,
    },
  },
  'signals watch': {
    '--every': {
      line: 'signals watch --max-credits 2',
      option: ['--every', '2h'],
      changes: ['stdout', 'stderr'],
      says: /A look every 2 hours costs about 12 credits a day/,
    },
    '--symbol': {
      line: `${WATCH} --since 2d`,
      option: ['--symbol', 'BTCUSDT'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--type': {
      line: `${WATCH} --since 2d`,
      option: ['--type', 'oi_growth'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--since': {
      line: WATCH,
      option: ['--since', '1d'],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--resume': {
      line: WATCH,
      option: ['--resume'],
      before: [WATCH],
      changes: ['stdout', 'stderr', 'requests'],
    },
    '--bell': {
      line: 'signals watch --since 1d --max-credits 1',
      option: ['--bell'],
      how: TABLE,
      changes: ['stderr'],
      says: /\u0007/,
    },
    '--exec': {
      line: 'signals watch --since 1d --max-credits 1',
      option: ['--exec', 'tee HOME/card'],
      changes: ['stderr', 'files'],
    },
  },
  access: {
    '--recheck': {
      line: 'access',
      option: ['--recheck'],
      before: ['access', 'snapshot'],
      faults: ['access:2:429:retry-after=90000', 'snapshot:*:429:retry-after=90000'],
      changes: ['code', 'stdout', 'stderr', 'requests'],
    },
  },
};

/** For each option that chooses cards: a line in which it leaves out all that the others ask for, and what is said of that. */
export const LEAVING_OUT_ALL: Readonly<
  Record<string, { readonly option: readonly string[]; readonly says: RegExp }>
> = {
  '--since': {
    option: ['--until', '2026-11-01', '--since', '2026-11-02'],
    says: /--since is after --until\./,
  },
  '--until': {
    option: ['--since', '2020-01-01', '--until', '2020-02-01'],
    says: /This history has no such cards\./,
  },
  '--symbol': {
    option: ['--type', 'oi_growth', '--symbol', 'NOSUCHUSDT'],
    says: /The history has no card of symbol 'NOSUCHUSDT'\./,
  },
  '--type': {
    option: ['--symbol', 'BTCUSDT', '--type', 'no_such_type'],
    says: /The history has no card of type 'no_such_type'\./,
  },
  '--where': {
    option: ['--type', 'oi_growth', '--where', 'oi_change_pct>1e9'],
    says: /This history has no such cards yet: /,
  },
};

/** What the sandbox is asked while it serves. */
export const ASKED_OF_SANDBOX = ['/access', '/signals?limit=2', '/signals?limit=2', '/snapshot'];

export type SandboxPart = 'stdout' | 'stderr' | 'answers';

/** Options of `sandbox --json`, which serves until it is interrupted. */
export const SANDBOX_ROWS: Readonly<
  Record<
    string,
    {
      readonly option: readonly string[];
      readonly isJson?: false;
      readonly changes: readonly SandboxPart[];
      readonly says?: RegExp;
    }
  >
> = {
  '--port': { option: ['--port', 'PORT'], changes: ['stdout'], says: /:PORT\// },
  '--cards': { option: ['--cards', '1'], changes: ['answers'] },
  '--seed': { option: ['--seed', '2'], changes: ['answers'] },
  '--per-minute': { option: ['--per-minute', '2'], changes: ['stderr', 'answers'] },
  '--shell': {
    option: ['--shell', 'fish'],
    isJson: false,
    changes: ['stdout'],
    says: /^set -gx SCREENER_BASE_URL /,
  },
  '--fault': { option: ['--fault', 'signals:2:503'], changes: ['stderr', 'answers'] },
};
