/** What an export asks of the numbers at the trigger at its end. Pure: the lines to append to the notebook. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { dayNumber } from '../runtime/units.ts';
import { type Finding, linesOfNumbers, type NumberFinding, numberId } from './findings.ts';
import { lastSettledDay } from './horizon.ts';
import type { Row } from './row.ts';
import { cutsOf, familyOf, type Member, type TuneQuestion, wordOf } from './tune.ts';
import { type Advice, isClear } from './tune-types.ts';

type NumberLine = Omit<NumberFinding, 'at' | 'settings_since'>;

const NO_CUT = {
  cut: null,
  cards_per_day: null,
  kept_vs_btc: null,
  kept_vs_dropped: null,
} as const;

/**
 * Numbers that are first found, found again or withdrawn, and cuts that are chosen later.
 * @param rows the cards to judge, of all types
 * @param findings the notebook so far, oldest first
 */
export function judgeNumbers(
  rows: readonly Row[],
  { now, until, settingsSince }: Pick<TuneQuestion, 'now' | 'until' | 'settingsSince'>,
  findings: readonly Finding[],
): NumberFinding[] {
  const last = lastSettledDay(now);
  const settled = rows.filter(({ at }) => dayNumber(at) <= last);
  const family = familyOf(
    rows,
    { now, until, settingsSince, horizon: MAIN_HORIZON, findings },
    settled,
  );
  const found = family.flatMap((one) => foundLine(one) ?? []);
  const clear = new Set(found.map(({ line }) => numberId(line)));
  const withdrawn = lastLines(findings).filter((one) => isClear(one) && !clear.has(numberId(one)));
  return [
    ...found.flatMap(({ line, isNew }) => (isNew ? [line] : [])),
    ...withdrawn.map((one): NumberLine => ({ ...one, verdict: 'unclear', ...NO_CUT })),
  ].map((line) => {
    const since = settingsSince?.get(line.type);
    return {
      ...line,
      at: formatApiTime(now),
      settings_since: since === undefined ? null : formatApiTime(since),
    };
  });
}

/** Undefined if the number does not tell. `isNew`: its word, or its cut, which is chosen once. */
function foundLine(member: Member): { line: NumberLine; isNew: boolean } | undefined {
  const { type, key: number, absolute, found } = member;
  const verdict = wordOf(member);
  if (verdict === 'unclear') return undefined;
  const isKnown = found?.last.verdict === verdict;
  const best =
    isKnown && found.last.cut !== null
      ? undefined
      : cutsOf(member, verdict).find((cut) => cut.is_advice);
  const cut = best && {
    cut: { [best.direction]: best.value },
    cards_per_day: best.cards_per_day,
    kept_vs_btc: best.kept_vs_btc,
    kept_vs_dropped: best.kept_vs_dropped,
  };
  const line = { about: 'number', type, number, absolute, verdict, ...(cut ?? NO_CUT) } as const;
  return { line, isNew: !isKnown || best !== undefined };
}

/** The last line of each number, whatever the settings were. */
const lastLines = (findings: readonly Finding[]) =>
  [...linesOfNumbers(findings).values()].flatMap((lines) => lines.slice(-1));

/** The stricter settings that the notebook advises, read and not worked out. */
export function advicesOf(findings: readonly Finding[]): Advice[] {
  return lastLines(findings).flatMap(({ number: key, absolute, cut, ...one }): Advice[] => {
    const value = cut?.at_least ?? cut?.at_most;
    if (value === undefined || !isClear(one)) return [];
    return [
      {
        type: one.type,
        key,
        absolute,
        direction: cut?.at_least === undefined ? 'at_most' : 'at_least',
        value,
      },
    ];
  });
}
