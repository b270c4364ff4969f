import type { SignalDetail } from '../api/contract/resources.ts';
import { ScreenerError } from '../errors.ts';
import { isCompleteCard, type StoredCard } from '../history/store/layout.ts';
import { isDetail } from '../outcomes/row.ts';
import { detailView } from '../output/views/card-page.ts';
import { pluralize } from '../runtime/pluralize.ts';
import type { OfHistory } from './history-rows.ts';
import { readIds } from './ids.ts';
import type { Invocation } from './invocation.ts';

interface Options extends OfHistory {
  readonly id: readonly (number | '-')[];
}

/**
 * `screener signals show --from DIR`: cards of a local history; 0 credits, no network. As online: one id gives the
 * object itself, several a list in the order asked for; what is there is printed, a missing one makes the exit code.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { notes, output } = invocation;
  const { demo } = invocation.globals;
  const ids = await readIds(invocation, options.id);
  const { directory } = options.history;
  const found = await options.history.find(ids);
  const forPeople = output.isForPeople;
  const isShown = (card: StoredCard) => !forPeople || isCompleteCard(card);
  const damaged = [...found.values()].find((card) => !isShown(card));
  const cards = ids.flatMap((id) => found.get(id) ?? []).filter(isShown);
  const bought = cards.filter(isDetail).length;
  // A page says so itself.
  if (bought < cards.length && !forPeople) {
    notes.note(
      `No outcome yet of ${pluralize(cards.length - bought, 'card')}: \`signals export\` buys it when it is due.`,
    );
  }
  // A line is a SignalDetail once bought, else a SignalCard: the view knows both.
  const items = cards as unknown as SignalDetail[];
  const [only] = items;
  if (ids.length === 1) {
    if (only !== undefined) await output.one(detailView, only);
  } else {
    await output.list(detailView, { batches: [items] });
  }
  if (damaged !== undefined) {
    throw new ScreenerError('storage', `Card ${damaged.id} lacks fields of a card in ${directory}.`, {
      hint: 'Its line was damaged. `--json` shows it as it is.',
    });
  }
  const [missing, ...others] = ids.filter((id) => !found.has(id));
  if (missing !== undefined) {
    const also = others.length === 0 ? '' : ` Also missing: ${others.join(', ')}.`;
    throw new ScreenerError(
      'not_found',
      `Card ${missing} is not in ${demo ? "the demo's history" : directory}.${also}`,
      {
        hint: demo
          ? '`screener --demo signals ls --local` lists its cards.'
          : '`screener signals export` updates the history.',
      },
    );
  }
}
