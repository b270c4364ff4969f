import { removeSettings, settingsPath } from '../config/settings.ts';
import type { Invocation } from './parts/invocation.ts';

export async function run(invocation: Invocation): Promise<void> {
  const { context, notes } = invocation;
  const { config } = context.directories;
  const removed = removeSettings(config);
  notes.note(removed === undefined ? `Nothing was saved in ${settingsPath(config)}.` : `Removed ${removed}.`);
  if (context.env.SCREENER_API_KEY) notes.warn('SCREENER_API_KEY is still set: commands still use that key.');
}
