import { devNull, homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface Directories {
  readonly config: string;
  readonly state: string;
  readonly data: string;
  /** What may be deleted at any time. */
  readonly cache: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A place without files if no home is known: the current folder may be another user's. */
export function homeDirectory(): string {
  try {
    const home = homedir();
    if (isAbsolute(home)) return home;
  } catch {}
  return devNull;
}

export const isBelowNull = (path: string): boolean => path.startsWith(devNull);

/** Expands a `~/` that no shell has: cmd never does, and no shell reads a crontab's variables. */
export function expandHome(path: string, env: Env): string {
  if (!/^~($|[/\\])/.test(path)) return path;
  return join(env.HOME || env.USERPROFILE || homeDirectory(), path.slice(1));
}

export function findDirectories(env: Env, platform: string, home: string): Directories {
  const { config, state, data, cache } = platformDirectories(env, platform, home);
  return {
    config: resolve(expandHome(env.SCREENER_CONFIG_DIR || config, env)),
    state: resolve(expandHome(env.SCREENER_STATE_DIR || state, env)),
    data: resolve(data),
    cache: resolve(cache),
  };
}

function platformDirectories(env: Env, platform: string, home: string): Directories {
  // Relative paths are ignored, as the XDG Base Directory Specification says.
  const given = (value: string | undefined, fallback: string) =>
    join(value !== undefined && isAbsolute(value) ? value : join(home, fallback), 'screener');
  if (platform === 'darwin') {
    const support = given(undefined, 'Library/Application Support');
    const config = given(undefined, 'Library/Preferences');
    return { config, state: support, data: support, cache: given(undefined, 'Library/Caches') };
  }
  if (platform === 'win32') {
    const local = given(env.LOCALAPPDATA, 'AppData/Local');
    const config = join(given(env.APPDATA, 'AppData/Roaming'), 'Config');
    return {
      config,
      state: join(local, 'State'),
      data: join(local, 'Data'),
      cache: join(local, 'Cache'),
    };
  }
  return {
    config: given(env.XDG_CONFIG_HOME, '.config'),
    state: given(env.XDG_STATE_HOME, '.local/state'),
    data: given(env.XDG_DATA_HOME, '.local/share'),
    cache: given(env.XDG_CACHE_HOME, '.cache'),
  };
}
