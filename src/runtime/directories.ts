/** Where the program keeps its files. */
import { devNull, homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface Directories {
  /** For what `login` saves. */
  readonly config: string;
  /** For the ledger, and for what a command keeps for later commands. */
  readonly state: string;
  /** For the default history. */
  readonly data: string;
  /** For what may be deleted at any time. */
  readonly cache: string;
}

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The user's home, or the null device if no home is known: no file can lie below that device. (The current folder would not
 * do, because it may be another user's.)
 */
export function homeDirectory(): string {
  try {
    const home = homedir();
    if (isAbsolute(home)) return home;
  } catch {
    // Node knows no home if HOME is not set, and the system does not list the user.
  }
  return devNull;
}

/** Whether a path lies below the null device, which stands for an unknown home: nothing can be made there. */
export const isBelowNull = (path: string): boolean => path.startsWith(devNull);

/**
 * The folder that an environment variable names, as an absolute path. `~/` is expanded here: cmd does not expand it, and
 * cron does not expand the variables of a crontab.
 * @param value of the variable
 * @param fallback the folder if the variable is blank
 */
export function folderNamedBy(value: string | undefined, env: Env, fallback: string): string {
  const isBlank = value === undefined || value.trim() === '';
  return resolve(expandHome(isBlank ? fallback : value, env));
}

/** Expands `~/`, if no shell has done so. */
export function expandHome(path: string, env: Env): string {
  if (!/^~($|[/\\])/.test(path)) return path;
  // A relative HOME would lead into the current folder.
  const homes = [env.HOME ?? '', env.USERPROFILE ?? ''];
  return join(homes.find(isAbsolute) ?? homeDirectory(), path.slice(1));
}

/** @param platform as Node names it: `linux`, `darwin`, `win32` @param home an absolute path */
export function findDirectories(env: Env, platform: string, home: string): Directories {
  const { config, state, data, cache } = platformDirectories(env, platform, home);
  return {
    config: folderNamedBy(env.SCREENER_CONFIG_DIR, env, config),
    state: folderNamedBy(env.SCREENER_STATE_DIR, env, state),
    data: resolve(data),
    cache: resolve(cache),
  };
}

function platformDirectories(env: Env, platform: string, home: string): Directories {
  const ownFolderIn = (parent: string) => join(parent, 'screener');
  /** @param value of the system's variable that names the parent @param fallback the parent otherwise, relative to the home */
  const ownFolderByVariable = (value: string | undefined, fallback: string) => {
    // Relative paths are ignored, as the XDG Base Directory Specification says.
    if (value !== undefined && isAbsolute(value)) return ownFolderIn(value);
    return ownFolderIn(join(home, fallback));
  };
  if (platform === 'darwin') {
    const support = ownFolderIn(join(home, 'Library/Application Support'));
    const config = ownFolderIn(join(home, 'Library/Preferences'));
    const cache = ownFolderIn(join(home, 'Library/Caches'));
    return { config, state: support, data: support, cache };
  }
  if (platform === 'win32') {
    const local = ownFolderByVariable(env.LOCALAPPDATA, 'AppData/Local');
    const config = join(ownFolderByVariable(env.APPDATA, 'AppData/Roaming'), 'Config');
    return {
      config,
      state: join(local, 'State'),
      data: join(local, 'Data'),
      cache: join(local, 'Cache'),
    };
  }
  return {
    config: ownFolderByVariable(env.XDG_CONFIG_HOME, '.config'),
    state: ownFolderByVariable(env.XDG_STATE_HOME, '.local/state'),
    data: ownFolderByVariable(env.XDG_DATA_HOME, '.local/share'),
    cache: ownFolderByVariable(env.XDG_CACHE_HOME, '.cache'),
  };
}
