import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The program that a name means, for `spawn`. Windows, and Node on it, look into the current folder first, where another
 * user may have put a program of that name: there the name becomes the whole path of what PATH leads to.
 * @returns undefined where Windows has no such program outside of the current folder
 */
export function findProgram(
  name: string,
  env: Env,
  platform: string | undefined = process.platform,
): string | undefined {
  if (platform !== 'win32' || isAbsolute(name)) return name;
  if (/[/\\]/.test(name)) return undefined;
  // Windows writes the name of the variable as it likes: `Path`.
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  return path
    .split(';')
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => ['', '.com', '.exe'].map((ending) => join(folder, name + ending)))
    .find((file) => /\.(com|exe)$/i.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The environment for a pager or a browser: all but the key, which is none of their business. */
export function childEnv(env: Env): Env {
  const { SCREENER_API_KEY: _, ...rest } = env;
  return rest;
}
