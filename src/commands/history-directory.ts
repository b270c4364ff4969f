import { defaultHistory } from '../history/default-history.ts';
import type { Invocation } from './invocation.ts';

type User = Pick<Invocation, 'context' | 'globals' | 'atEnd'>;

/** The directory of the history that was named, or of the default one; for the demo the default one is invented, and removed at the end. */
export async function historyDirectory({ context, globals, atEnd }: User, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  if (!globals.demo) return defaultHistory(context);
  const { demoHistory } = await import('../sandbox/demo-history.ts');
  const demo = await demoHistory(context.clock.now());
  atEnd.push(demo.close);
  return demo.directory;
}
