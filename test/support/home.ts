import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Home = ReturnType<typeof createHome>;

/** A user's files, apart from those of whoever runs the tests. */
export function createHome() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'screener-home-'));
  const config = path.join(folder, 'config');
  return {
    folder,
    config,
    state: path.join(folder, 'state'),
    /** config.json in `config`, which `login` writes. */
    saved: path.join(config, 'config.json'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
