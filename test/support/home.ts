import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A user's files, apart from those of whoever runs the tests. */
export interface Home {
  readonly folder: string;
  readonly config: string;
  readonly state: string;
  /** config.json in `config`, which `login` writes. */
  readonly saved: string;
  remove(): void;
}

export function createHome(): Home {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'screener-home-'));
  const config = path.join(folder, 'config');
  return {
    folder,
    config,
    state: path.join(folder, 'state'),
    saved: path.join(config, 'config.json'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
