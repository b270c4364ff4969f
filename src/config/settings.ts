import { chmodSync, lstatSync, readdirSync, readlinkSync, statSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ScreenerError } from '../errors.ts';
import { withStorageErrors } from '../runtime/files.ts';
import {
  belongsToOther,
  effectiveUser,
  errnoOf,
  isMissing,
  makeFolders,
  readPlainFile,
} from '../runtime/plain-file.ts';
import { shellWord } from '../runtime/shell-words.ts';

/** What `login` saves. Nothing else is kept in that file: if two processes write at once, conf loses one of the updates. */
export interface Credentials {
  readonly baseUrl: string;
  readonly key: string;
}

const NAME = 'config';

export function settingsPath(directory: string): string {
  return join(directory, `${NAME}.json`);
}

/** Reads the file without conf, whose validator would cost every command 23 ms. @throws ScreenerError not_logged_in */
export function readSettings(directory: string): Credentials | undefined {
  const file = settingsPath(directory);
  const text = ifThere(directory, () => {
    checkPlace(directory, file);
    return readPlainFile(file, 1 << 20);
  });
  if (text === undefined) return undefined;
  try {
    const { baseUrl, key } = JSON.parse(text);
    if (typeof baseUrl === 'string' && typeof key === 'string') return { baseUrl, key };
  } catch {}
  throw unusable(file, 'is corrupt', 'Delete it');
}

/**
 * @returns the file's path
 * @throws ScreenerError storage; not_logged_in, if another user controls the file's place
 */
export async function writeSettings(directory: string, credentials: Credentials): Promise<string> {
  const file = settingsPath(directory);
  ifThere(directory, () => checkPlace(directory, file));
  const { default: Conf } = await import('conf');
  await withStorageErrors(`write ${file}`, () => {
    makeFolders(directory);
    // Folders with other files (a home directory) keep their mode: the file's own protects the key.
    if (readdirSync(directory).every((name) => name === basename(file)))
      chmodSync(directory, 0o700);
    const conf = new Conf<{ baseUrl: string; key: string }>({
      cwd: directory,
      configName: NAME,
      configFileMode: 0o600,
      clearInvalidConfig: true,
    });
    conf.set({ baseUrl: credentials.baseUrl, key: credentials.key });
  });
  return file;
}

/** What `logout` removed. */
export interface RemovedSettings {
  /** What the removed file pointed to, if it was a symbolic link: the target is not removed. */
  readonly linkTarget: string | undefined;
}

/** @returns undefined if there was nothing to remove @throws ScreenerError storage */
export async function removeSettings(directory: string): Promise<RemovedSettings | undefined> {
  const file = settingsPath(directory);
  return await withStorageErrors(`remove ${file}`, () => {
    try {
      const isLink = lstatSync(file).isSymbolicLink();
      const linkTarget = isLink ? readlinkSync(file) : undefined;
      unlinkSync(file);
      return { linkTarget };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
}

/**
 * Refuses a place that another user controls.
 * @throws ScreenerError not_logged_in, with the reason; ENOENT if missing
 */
function checkPlace(directory: string, file: string): void {
  const places = [
    { place: directory, forbiddenBits: 0o022, mode: 700 },
    { place: file, forbiddenBits: 0o077, mode: 600 },
  ];
  for (const { place, forbiddenBits, mode } of places) {
    const target = statSync(place);
    const entry = lstatSync(place);
    // A link to the folder is fine, if both are the user's own.
    if (belongsToOther(target) || belongsToOther(entry))
      throw unusable(
        place,
        'belongs to another user',
        'Choose a folder of your own with SCREENER_CONFIG_DIR',
      );
    if (place === file && !entry.isFile())
      throw unusable(file, 'is a symbolic link or no plain file', 'Remove it');
    // Mode bits say nothing on Windows.
    if (effectiveUser() !== undefined && (target.mode & forbiddenBits) !== 0)
      throw unusable(place, 'is open to other users', `Run \`chmod ${mode} ${shellWord(place)}\``);
  }
}

/**
 * What `look` returns; undefined if the folder or file does not exist. (A daemon's home may be /dev/null, below which
 * nothing exists.)
 * @throws ScreenerError not_logged_in
 */
function ifThere<T>(directory: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    const code = errnoOf(error);
    if (code === undefined) throw error;
    // The key may be in there, so the hint does not ask for a login.
    throw new ScreenerError('not_logged_in', `${directory} cannot be read (${code}).`, {
      hint: 'Correct its permissions.',
    });
  }
}

function unusable(place: string, what: string, remedy: string): ScreenerError {
  return new ScreenerError('not_logged_in', `${place} ${what}.`, {
    hint: `${remedy}, then run \`screener login\`.`,
  });
}
