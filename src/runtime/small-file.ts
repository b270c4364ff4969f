import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A symbolic link in a file's place is somebody's trick, and a pipe would never end. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a plain file of the program's own, at once and never waiting.
 * @param most bytes: more than the program ever writes
 * @throws what the system says of files; an Error where it is no plain file, or larger
 */
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
