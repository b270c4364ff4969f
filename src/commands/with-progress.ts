import type { Invocation } from './invocation.ts';

/** Shows that something is going on while `work` is under way. */
export async function withProgress<T>(
  { notes }: Pick<Invocation, 'notes'>,
  text: string,
  work: Promise<T>,
): Promise<T> {
  const progress = notes.progress(text);
  try {
    return await work;
  } finally {
    progress.stop();
  }
}
