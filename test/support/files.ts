import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Those of them whose name or content holds `text`. */
export function filesWith(folder: string, text: string): string[] {
  return filesBelow(folder).filter(
    (file) => file.includes(text) || readFileSync(file).includes(text),
  );
}

/** The permission bits, as in `0600`. */
export function modeOf(place: string): string {
  return (statSync(place).mode & 0o7777).toString(8).padStart(4, '0');
}

/** Makes the holder of a directory's lock look silent for a minute, or as long as told, as a killed one is. */
export function ageLock(directory: string, seconds = -60, name = '.lock'): void {
  const lock = path.join(directory, name);
  for (const token of readdirSync(lock))
    utimesSync(path.join(lock, token), new Date(), Date.now() / 1000 + seconds);
}
