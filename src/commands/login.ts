import type { Access } from '../api/contract/resources.ts';
import { checkReachable } from '../api/reach.ts';
import {
  checkKey,
  environmentBaseUrl,
  environmentKey,
  normaliseBaseUrl,
} from '../config/credentials.ts';
import { type Credentials, readSettings, writeSettings } from '../config/settings.ts';
import { ScreenerError, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { loginReceipt } from '../output/views/receipts.ts';
import { requests } from './parts/declaration.ts';
import { type Invocation, withProgress } from './parts/invocation.ts';
import { printPlan } from './parts/plan.ts';
import { ask, readFirstLine } from './parts/prompt.ts';

/** `screener login`: one free call checks key and base URL. Only a key that works replaces a saved one. */
export async function run(invocation: Invocation): Promise<void> {
  const { context, globals, notes, output } = invocation;
  if (globals.plan) return printPlan(invocation, [requests('access')], { hasAccount: false });
  if (globals.demo) throw usageError('--demo needs no login.', 'Leave out --demo to log in.');
  const baseUrl = await findBaseUrl(invocation);
  const { credentials, access } = await findLogin(invocation, baseUrl);
  const file = await writeSettings(context.directories.config, credentials);
  const { plan, expires_at, credits } = access;
  const creditsLeft = `${credits.remaining} of ${credits.limit} credits left this month`;
  notes.note(`Logged in: plan ${plan} until ${minuteTime(expires_at)} UTC, ${creditsLeft}.`);
  notes.note(`Key and base URL are saved in ${file} (only you can read it).`);
  if (context.stderr.isTTY)
    notes.note(
      'Next, to see what a local history would cost (free):',
      'screener signals export --plan',
    );
  if (environmentKey(context) !== undefined)
    notes.warn('SCREENER_API_KEY is set: it is used instead of the saved key.');
  if (environmentBaseUrl(context) !== undefined)
    notes.warn('SCREENER_BASE_URL is set: it is used instead of the saved base URL.');
  if (!output.isForPeople)
    await output.one(loginReceipt, { file, base_url: credentials.baseUrl, access });
}

async function findBaseUrl(invocation: Invocation): Promise<string> {
  const { context, globals, notes } = invocation;
  const typedUrl = globals.baseUrl ?? environmentBaseUrl(context);
  if (typedUrl !== undefined) {
    const baseUrl = normaliseBaseUrl(typedUrl);
    const isFromEnvironment = globals.baseUrl === undefined;
    // Without a terminal the caller has set the variable for this command.
    if (isFromEnvironment && context.stdin.isTTY) {
      notes.warn(
        `SCREENER_BASE_URL is set: you log in at ${baseUrl}. Unset it to log in elsewhere.`,
      );
      await notes.flush();
    }
    return baseUrl;
  }
  const savedUrl = readSettings(context.directories.config)?.baseUrl;
  if (context.stdin.isTTY) {
    const example = savedUrl === undefined ? '(https://HOST/api/external/v1)' : `[${savedUrl}]`;
    return askAgain(invocation, {
      question: `Base URL ${example}: `,
      secret: false,
      read: (text) => normaliseBaseUrl(text.trim() || savedUrl || ''),
    });
  }
  if (savedUrl !== undefined) return normaliseBaseUrl(savedUrl);
  const hint =
    'Give the address that the service gave you:\nscreener login --base-url https://HOST/api/external/v1';
  throw usageError('No base URL is known.', hint);
}

/** A login that the service has accepted. */
interface CheckedLogin {
  readonly credentials: Credentials;
  /** What the service answered. */
  readonly access: Access;
}

/**
 * Checks a key by one free call.
 * @param key as it was typed or piped in, or as the environment has it
 * @throws ScreenerError `usage` if it cannot be a key; otherwise the error of the call: `unauthorized`, for example
 */
async function checkLogin(
  invocation: Invocation,
  baseUrl: string,
  key: string,
): Promise<CheckedLogin> {
  const credentials: Credentials = { baseUrl, key: checkKey(key) };
  const { client } = await invocation.connect(credentials);
  const call = client.call('access', {});
  const access = await withProgress(invocation, 'Checking the key', call);
  return { credentials, access };
}

/** A text in UTF-16 has this character beside every ASCII letter. No key has it. */
const NUL = '\0';

/**
 * Logs in with the key that the user types on the terminal. Without a terminal it reads the key from standard input. If that is
 * empty, it takes SCREENER_API_KEY.
 */
async function findLogin(invocation: Invocation, baseUrl: string): Promise<CheckedLogin> {
  const { context, globals } = invocation;
  const check = (key: string) => checkLogin(invocation, baseUrl, key);
  if (context.stdin.isTTY) {
    // The question names the host, so that the user knows to whom the key goes.
    const { host } = new URL(baseUrl);
    const { env, signal } = context;
    // The host is checked now, so that no user looks for a key, and pastes it, only to read that the host cannot be reached.
    const reach = checkReachable({ baseUrl, env, timeout: globals.timeout, signal });
    await withProgress(invocation, `Connecting to ${host}`, reach);
    return askAgain(invocation, {
      question: `API key for ${host} (not shown): `,
      secret: true,
      read: check,
    });
  }
  const line = await readFirstLine(context);
  if (line.includes(NUL)) {
    throw usageError(
      'The key is encoded as UTF-16. In Windows PowerShell, `>` writes files this way.',
      'Save the file as plain text (UTF-8), or run `screener login` on a terminal.',
    );
  }
  if (line !== '') return check(line);
  const keyOfEnvironment = environmentKey(context);
  if (keyOfEnvironment !== undefined) return check(keyOfEnvironment);
  const hint = 'Pipe it in (cat key.txt | screener login), or run `screener login` on a terminal.';
  throw usageError('Standard input contains no key.', hint);
}

interface Prompt<T> {
  readonly question: string;
  /** Whether the answer is not shown as it is typed. */
  readonly secret: boolean;
  /** Reads or checks the answer. If it throws `usage` or `unauthorized`, the question is asked again. */
  readonly read: (answer: string) => T | Promise<T>;
}

/** A question is asked at most this often. */
const MOST_TRIES = 3;

/**
 * Asks until an answer can be used, at most `MOST_TRIES` times. If the program ended at the first mistake, the user might paste the
 * key at the shell's prompt next, and the shell would keep it in its history.
 */
async function askAgain<T>(
  invocation: Invocation,
  { question, secret, read }: Prompt<T>,
): Promise<T> {
  const { context, notes } = invocation;
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(context, question, secret);
    try {
      return await read(answer);
    } catch (error) {
      const isSlip =
        error instanceof ScreenerError && ['usage', 'unauthorized'].includes(error.code);
      if (!isSlip || tries === MOST_TRIES) throw error;
      // The hint of `unauthorized` says to log in, which the user does just now.
      notes.note(error.code === 'usage' ? [error.message, error.hint].join(' ') : error.message);
      await notes.flush();
    }
  }
}
