import { devNull, homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../errors.ts';

export interface Directories {
  /** Holds config.json, with the key. */
  readonly config: string;
  /** Holds the ledger. */
  readonly state: string;
  /** Holds the default history. */
  readonly data: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The user's home: HOME (USERPROFILE on Windows), else what the system's list of users says. Where both are empty or no
 * whole path, a place where no file can be: the current folder may belong to another user.
 */
export function homeDirectory(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // A container's user is in no list.
    }
  }
  return devNull;
}

/**
 * A path whose `~/` no shell has expanded: cmd never does, others only where it begins a word, and a crontab's variables
 * are read by no shell at all.
 */
export function expandHome(path: string, env: Env): string {
  if (!/^~($|[/\\])/.test(path)) return path;
  return join(env.HOME || env.USERPROFILE || homeDirectory(), path.slice(1));
}

/**
 * A path as a user gave it to an option. On Windows without the quote that `"C:\My Data\"` ends with: the program is
 * handed `C:\My Data"`, for `\"` means a quote there.
 * @throws ScreenerError usage on Windows for a path with a quote within, which has swallowed what stands behind it, or
 *   with a colon that names another thing than a drive: part of a file, or a folder nobody sees
 */
export function givenPath(path: string, env: Env, platform: string = process.platform): string {
  if (platform !== 'win32') return expandHome(path, env);
  const plain = path.replace(/"$/, '');
  if (plain.includes('"')) {
    throw usageError(
      'A Windows path cannot hold a quote.',
      String.raw`Leave out a \ before the closing quote: "C:\My Data".`,
    );
  }
  if (plain.replace(/^(\\\\[?.]\\)?[a-z]:(?=[\\/])/i, '').includes(':')) {
    throw usageError('In a Windows path a colon stands behind the letter of a drive only, as in C:\\.');
  }
  return expandHome(plain, env);
}

/** Where the program keeps its files: what SCREENER_*_DIR says, else what users of the platform expect. */
export function findDirectories(env: Env, platform: string, home: string): Directories {
  const [config, state, data] = platformDirectories(env, platform, home);
  return {
    config: resolve(expandHome(env.SCREENER_CONFIG_DIR || config, env)),
    state: resolve(expandHome(env.SCREENER_STATE_DIR || state, env)),
    data: resolve(data),
  };
}

function platformDirectories(env: Env, platform: string, home: string): [config: string, state: string, data: string] {
  // The XDG Base Directory Specification: a program ignores a relative path in its variables. So elsewhere.
  const given = (value: string | undefined, ...fallback: string[]) =>
    value !== undefined && isAbsolute(value) ? value : join(home, ...fallback);
  if (platform === 'darwin') {
    const library = join(home, 'Library');
    const support = join(library, 'Application Support', 'screener');
    return [join(library, 'Preferences', 'screener'), support, support];
  }
  if (platform === 'win32') {
    const roaming = given(env.APPDATA, 'AppData', 'Roaming');
    const local = given(env.LOCALAPPDATA, 'AppData', 'Local');
    return [join(roaming, 'screener', 'Config'), join(local, 'screener', 'State'), join(local, 'screener', 'Data')];
  }
  return [
    join(given(env.XDG_CONFIG_HOME, '.config'), 'screener'),
    join(given(env.XDG_STATE_HOME, '.local', 'state'), 'screener'),
    join(given(env.XDG_DATA_HOME, '.local', 'share'), 'screener'),
  ];
}
