import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Links may be somebody's trick, and pipes never end. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @param most bytes @throws what the system says of files; an Error if it is no plain file, or larger */
export function readSmallFile(path: string, most: number): string {
  const fd = openSync(path, READ);
  try {
    const found = fstatSync(fd);
    if (!found.isFile() || found.size > most) throw new Error(`${path} is no file of this program`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
