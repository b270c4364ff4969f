import { devNull, homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface Directories {
  readonly config: string;
  readonly state: string;
  readonly data: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A place without files if no home is known: the current folder may be another user's. */
export function homeDirectory(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {}
  }
  return devNull;
}

/** Expands a `~/` that no shell has: cmd never does, and no shell reads a crontab's variables. */
export function expandHome(path: string, env: Env): string {
  if (!/^~($|[/\\])/.test(path)) return path;
  return join(env.HOME || env.USERPROFILE || homeDirectory(), path.slice(1));
}

/** A path as a user gave it to an option. Windows hands over `"C:\My Data\"` as `C:\My Data"`. */
export function givenPath(path: string, env: Env, platform: string = process.platform): string {
  return expandHome(platform === 'win32' ? path.replace(/"$/, '') : path, env);
}

export function findDirectories(env: Env, platform: string, home: string): Directories {
  const [config, state, data] = platformDirectories(env, platform, home);
  return {
    config: resolve(expandHome(env.SCREENER_CONFIG_DIR || config, env)),
    state: resolve(expandHome(env.SCREENER_STATE_DIR || state, env)),
    data: resolve(data),
  };
}

function platformDirectories(env: Env, platform: string, home: string): [config: string, state: string, data: string] {
  // Relative paths are ignored, as the XDG Base Directory Specification says.
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
