/** `screener today --changes`: what was found or withdrawn since it was last asked, and what ends soon. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { formatApiTime } from '../api/time.ts';
import { newsOf } from '../outcomes/news.ts';
import { type Change, changesView, newsWords } from '../output/views/today.ts';
import { keptFile } from '../runtime/kept-file.ts';
import { DAY } from '../runtime/units.ts';
import type { OfHistory } from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { lookAt } from './parts/morning.ts';

/** The first time asks for a week: what is older is no news. */
const FIRST = 7 * DAY;

/** When it was asked, epoch milliseconds UTC, and what was unusual then. */
const Asked = v.object({ at: v.number(), unusual: v.array(v.string()) });

/** Silent if there is no news. After a failure to print it is asked again. @throws ScreenerError storage, no_history */
export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { context, globals, output } = invocation;
  const { sample, standings, today } = await lookAt(invocation, options);
  const { now, findings = [] } = sample.question;
  const name = createHash('sha256').update(options.history.directory).digest('hex').slice(0, 12);
  const file = globals.demo ? undefined : keptFile(context.directories.state, `changes-${name}.json`, v.parser(Asked));
  const last = file?.read();
  const news = newsOf(findings, last?.at ?? now - FIRST);
  const lasting = today.unusual.filter(({ kind }) => kind !== 'cards');
  const keyOf = ({ kind, screener_type }: (typeof lasting)[number]) => `${kind} ${screener_type ?? ''}`;
  const items: Change[] = [
    ...news.map((one) => ({ ...one, message: newsWords(one, standings) })),
    ...lasting
      .filter((one) => !last?.unusual.includes(keyOf(one)))
      .map((one) => ({ at: formatApiTime(now), number: null, ...one })),
  ];
  if (!output.isForPeople) await output.list(changesView, { batches: [items], head: () => ({ items: [] }) });
  else if (items.length > 0) await output.page(() => items.map(({ message }) => message).join('\n'));
  // A line that an export appends at this moment is later than the last that was read.
  const at = Math.max(last?.at ?? 0, ...findings.map((one) => Date.parse(one.at)));
  await file?.write({ at: at || now, unusual: lasting.map(keyOf) });
}
