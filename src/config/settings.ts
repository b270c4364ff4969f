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

/**
 * What `login` saves. Keep nothing else in this file: if two processes write it at once, the package `conf` keeps only what one of
 * them wrote.
 */
export interface Credentials {
  readonly baseUrl: string;
  readonly key: string;
}

/** The file's name, without `.json`. */
const NAME = 'config';

/** Bytes: a megabyte is more than any key needs. */
const LARGEST_SETTINGS_FILE = 1024 * 1024;

export function settingsPath(directory: string): string {
  return join(directory, `${NAME}.json`);
}

/**
 * Reads the file without `conf`, whose validator would take 23 ms of every command.
 * @returns undefined if there is no file
 * @throws ScreenerError not_logged_in; storage, if the file is too large
 */
export function readSettings(directory: string): Credentials | undefined {
  const file = settingsPath(directory);
  const isThere = ifThere(directory, () => {
    checkPlace(directory, file);
    return true;
  });
  if (!isThere) return undefined;
  const text = ifThere(file, () => readPlainFile(file, LARGEST_SETTINGS_FILE));
  if (text === undefined) return undefined;
  try {
    const { baseUrl, key } = JSON.parse(text);
    if (typeof baseUrl === 'string' && typeof key === 'string') return { baseUrl, key };
  } catch {
    // What is no JSON is as corrupt as JSON without a key.
  }
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
    // A folder with other files in it may be a home directory: it keeps its mode. The mode of the file protects the key.
    const hasOtherFiles = readdirSync(directory).some((name) => name !== basename(file));
    if (!hasOtherFiles) chmodSync(directory, 0o700);
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
  /** If the removed file was a symbolic link: the file that it pointed to, which is not removed. Otherwise undefined. */
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
 * Refuses a place that another user controls, and a file that is not plain. Other users may look into the folder, but neither write
 * to it nor read the file.
 * @throws ScreenerError not_logged_in, with the reason; the system's ENOENT, if the folder or the file is missing
 */
function checkPlace(directory: string, file: string): void {
  const places = [
    { place: directory, forbiddenBits: 0o022, chmodTo: '700' },
    { place: file, forbiddenBits: 0o077, chmodTo: '600' },
  ];
  for (const { place, forbiddenBits, chmodTo } of places) {
    const target = statSync(place);
    const entry = lstatSync(place);
    // A symbolic link to the folder is fine, if both the link and the folder belong to the user.
    if (belongsToOther(target) || belongsToOther(entry))
      throw unusable(
        place,
        'belongs to another user',
        'Choose a folder of your own with SCREENER_CONFIG_DIR',
      );
    const isOtherThanFile = place === file && !entry.isFile();
    if (isOtherThanFile)
      throw unusable(
        file,
        'is not a plain file, but a symbolic link, a folder or a device',
        'Remove it',
      );
    const hasModeBits = effectiveUser() !== undefined; // not on Windows
    if (hasModeBits && (target.mode & forbiddenBits) !== 0)
      throw unusable(
        place,
        'is open to other users',
        `Run \`chmod ${chmodTo} ${shellWord(place)}\``,
      );
  }
}

/**
 * What `look` returns; undefined if what it looks at does not exist. What would lie below a file does not exist, either: the home
 * of a daemon may be /dev/null.
 * @param place the file or folder that the error names if the system refuses the look: its permissions are then the reason
 * @throws ScreenerError not_logged_in
 */
function ifThere<T>(place: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    const code = errnoOf(error);
    if (code === undefined) throw error;
    // The saved key may still be there, so the hint does not ask for another login.
    throw new ScreenerError('not_logged_in', `${place} cannot be read (${code}).`, {
      hint: 'Correct its permissions.',
    });
  }
}

function unusable(place: string, what: string, remedy: string): ScreenerError {
  return new ScreenerError('not_logged_in', `${place} ${what}.`, {
    hint: `${remedy}, then run \`screener login\`.`,
  });
}
