import os from 'node:os';
import path from 'node:path';

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
  for (const find of [os.homedir, () => os.userInfo().homedir]) {
    try {
      const home = find();
      if (path.isAbsolute(home)) return home;
    } catch {
      // A container's user is in no list.
    }
  }
  return os.devNull;
}

/** Where the program keeps its files: what SCREENER_*_DIR says, else what users of the platform expect. */
export function findDirectories(env: Env, platform: string, home: string): Directories {
  const [config, state, data] = platformDirectories(env, platform, home);
  return {
    config: path.resolve(env.SCREENER_CONFIG_DIR || config),
    state: path.resolve(env.SCREENER_STATE_DIR || state),
    data: path.resolve(data),
  };
}

function platformDirectories(env: Env, platform: string, home: string): [config: string, state: string, data: string] {
  // The XDG Base Directory Specification: a program ignores a relative path in its variables. So elsewhere.
  const given = (value: string | undefined, ...fallback: string[]) =>
    value !== undefined && path.isAbsolute(value) ? value : path.join(home, ...fallback);
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    const support = path.join(library, 'Application Support', 'screener');
    return [path.join(library, 'Preferences', 'screener'), support, support];
  }
  if (platform === 'win32') {
    const roaming = given(env.APPDATA, 'AppData', 'Roaming');
    const local = given(env.LOCALAPPDATA, 'AppData', 'Local');
    return [
      path.join(roaming, 'screener', 'Config'),
      path.join(local, 'screener', 'State'),
      path.join(local, 'screener', 'Data'),
    ];
  }
  return [
    path.join(given(env.XDG_CONFIG_HOME, '.config'), 'screener'),
    path.join(given(env.XDG_STATE_HOME, '.local', 'state'), 'screener'),
    path.join(given(env.XDG_DATA_HOME, '.local', 'share'), 'screener'),
  ];
}
