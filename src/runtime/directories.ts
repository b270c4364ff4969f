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
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    const support = path.join(library, 'Application Support', 'screener');
    return [path.join(library, 'Preferences', 'screener'), support, support];
  }
  if (platform === 'win32') {
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    return [
      path.join(roaming, 'screener', 'Config'),
      path.join(local, 'screener', 'State'),
      path.join(local, 'screener', 'Data'),
    ];
  }
  // The XDG Base Directory Specification: a program ignores a relative path in these variables.
  const xdg = (value: string | undefined, fallback: string) =>
    value !== undefined && path.isAbsolute(value) ? value : path.join(home, fallback);
  return [
    path.join(xdg(env.XDG_CONFIG_HOME, '.config'), 'screener'),
    path.join(xdg(env.XDG_STATE_HOME, '.local/state'), 'screener'),
    path.join(xdg(env.XDG_DATA_HOME, '.local/share'), 'screener'),
  ];
}
