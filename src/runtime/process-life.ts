/** Whether a process lives: the one place that decides it, for the ledger's permits and for an export's lock. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill } from 'node:process';

/**
 * Where a process id means something: this machine since it was started and, on Linux, this namespace of processes.
 * Containers that share a directory do not see each other's processes and must not take them for dead; machines may share
 * a name, and the first namespace has one number everywhere.
 */
export function processPlace(): string {
  const known = (read: () => string) => {
    try {
      return read().trim();
    } catch {
      // Not Linux, or a restricted one: the machine's name has to do.
      return '';
    }
  };
  const namespace = known(() => readlinkSync('/proc/self/ns/pid'));
  const boot = known(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'));
  return `${hostname()} ${namespace} ${boot}`;
}

/**
 * When a process of this place began, as the kernel counts: tells it from a later one with the same id.
 * @returns null where there is no such process, where it is a zombie, and on systems without /proc
 */
export function processBirth(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, and may hold blanks and brackets itself.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

/**
 * Whether a process of this place lives.
 * @param born what `processBirth` said of it, where it said anything
 */
export function isProcessAlive(pid: number, born: string | null = null): boolean {
  if (born !== null) return processBirth(pid) === born;
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
