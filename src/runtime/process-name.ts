import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import { errnoOf } from './plain-file.ts';

/** Where a process id means the same process: one boot, one container. Undefined where the system does not say. */
function idSpace(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() + readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Of this process, for `isGone`. */
export function processName(): string {
  return `${idSpace() ?? '-'} ${process.pid}`;
}

/** @returns false, too, for a process that may run elsewhere */
export function isGone(name: string): boolean {
  const [space, id] = name.split(' ');
  if (space !== idSpace()) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}
