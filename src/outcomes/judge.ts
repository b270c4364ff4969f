/**
 * The one judge: what an export asks at its end. Pure: of what is known and the notebook so far, the lines to append.
 * It asks the default question: all types, 24 h, the last 180 days, outcomes of whole settled UTC days.
 */
import { HORIZON_NAMES, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at, formatApiTime } from '../api/time.ts';
import { dayNumber } from '../runtime/units.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { verdictAfter } from '../statistics/verdict.ts';
import { differencesOf, symbolsOfBtc } from './differences.ts';
import {
  type Finding,
  foundOf,
  lastMedians,
  linesOfTypes,
  type MediansFinding,
  type TypeFinding,
} from './findings.ts';
import { groupCards, JUDGED_WINDOW } from './groups.ts';
import { compareAt, type HorizonData, lastSettledDay, waitOf } from './horizon.ts';
import { judgeNumbers } from './judge-numbers.ts';
import type { Row } from './row.ts';
import { answersWithin, type ServiceAnswer, STATS_WINDOW } from './service-answers.ts';
import { serviceMedians } from './service-medians.ts';

interface Evidence {
  /** The cards of all types, in any order; those older than `JUDGED_WINDOW` are left out. */
  readonly rows: readonly Row[];
  readonly answers: readonly ServiceAnswer[];
  /** Present settings of a type since then, epoch milliseconds UTC. */
  readonly settingsSince: ReadonlyMap<string, number>;
  readonly now: number;
}

export function judge(judged: Evidence, findings: readonly Finding[]): Finding[] {
  const { now } = judged;
  const since = now - JUDGED_WINDOW;
  const rows = judged.rows
    .filter((row) => row.at >= since)
    .toSorted((one, other) => one.at - other.at);
  const answers = answersWithin(judged.answers, { since, until: now });
  const recent = { ...judged, rows, answers };
  const medians = newMedians(recent, findings);
  const types = judgeTypes(recent, [...findings, ...medians], medians.length > 0);
  const last = lastSettledDay(now);
  const settled = rows.filter(({ at }) => dayNumber(at) <= last);
  const { settingsSince } = judged;
  const numbers = judgeNumbers({ cards: rows, settled, settingsSince, findings, until: now }, now);
  return [...medians, ...types, ...numbers];
}

/** Medians are worked out after a sitting or a change of settings, then kept: else words would flicker. */
function newMedians(
  { rows, answers, settingsSince, now }: Evidence,
  findings: readonly Finding[],
): MediansFinding[] {
  const ofBtc = symbolsOfBtc(rows);
  const changes = [...answers.map((one) => one.at), ...settingsSince.values()];
  return HORIZON_NAMES.flatMap((horizon) => {
    const last = lastMedians(findings, horizon);
    const isKnown = last !== undefined && changes.every((time) => time <= at(last.at));
    // Medians of answers that are too old now are withdrawn.
    if (answers.length === 0 ? Object.keys(last?.types ?? {}).length === 0 : isKnown) return [];
    const differences = differencesOf(rows, horizon, ofBtc);
    const types = Object.fromEntries(
      serviceMedians({ answers, rows, differences, horizon, ofBtc, settingsSince }),
    );
    // The next run tries again where too little is bought.
    const isEmpty = Object.keys(types).length === 0 && last === undefined;
    return isEmpty ? [] : [{ at: formatApiTime(now), about: 'medians', horizon, types }];
  });
}

function judgeTypes(judged: Evidence, findings: readonly Finding[], isNew: boolean): TypeFinding[] {
  const { rows, settingsSince, answers, now } = judged;
  const last = lastSettledDay(now);
  const settled = rows.filter((row) => dayNumber(row.at) <= last);
  const lines = linesOfTypes(findings);
  const sources = isNew
    ? undefined
    : new Map([...lines].map(([type, own]) => [type, (own.at(-1) as TypeFinding).source]));
  const medians = findings.filter(({ about }) => about === 'medians');
  const question = { by: 'type', now, answers, settingsSince, sources, findings: medians } as const;
  const grouped = groupCards(settled, question);
  const compared = compareAt(MAIN_HORIZON, grouped, question);
  const found = grouped.shown.flatMap(({ group }, i): TypeFinding[] => {
    const type = String(group);
    const since = settingsSince.get(type);
    const own = lines.get(type);
    lines.delete(type);
    const before = foundOf(own, since)?.last;
    const line = lineOf(compared[i] as HorizonData, before, { now, isNew });
    const settings_since = since === undefined ? null : formatApiTime(since);
    return isSame(line, before, own?.at(-1))
      ? []
      : [{ at: formatApiTime(now), about: 'type', type, ...line, settings_since }];
  });
  const gone = [...lines.values()]
    .flatMap((own) => own.slice(-1))
    .filter(({ verdict }) => verdict !== null);
  const nothing = { at: formatApiTime(now), verdict: null, vs_btc: null, shows_at: null };
  return [...found, ...gone.map((line) => ({ ...line, ...nothing }))];
}

type TypeLine = Omit<TypeFinding, 'at' | 'about' | 'type' | 'settings_since'>;

function lineOf(
  data: HorizonData,
  before: TypeFinding | undefined,
  { now, isNew }: { now: number; isNew: boolean },
): TypeLine {
  const { shown, shownTo: to, service, sample, vsBtc } = data;
  const verdict = verdictAfter(before?.to === to ? before.verdict : undefined, shown);
  const isWaiting = before?.verdict === 'unclear' && !isNew && isAhead(before, now);
  const wait = () => (isWaiting ? before.shows_at : noted(waitOf(shown, now, data)));
  return {
    verdict,
    to,
    vs_btc: verdictAfter(before?.vs_btc, vsBtc),
    difference_percentage_points: cleanOrNull(shown.value),
    interval_95: shown.interval(LEVEL),
    sample: to === 'btc' ? sample.states.measured : shown.size,
    source: service === undefined ? 'bought' : 'service',
    shows_at: verdict === 'unclear' ? wait() : null,
  };
}

/** Whether the last wait may still come true; one without end is asked again after a month. */
function isAhead({ at: said, shows_at }: TypeFinding, now: number): boolean {
  return shows_at === null ? now - at(said) < STATS_WINDOW : at(shows_at) > now;
}

/** As the notebook has it: the moment rounded up to the second. */
const noted = (until: number) =>
  until === Infinity ? null : formatApiTime(Math.ceil(until / 1000) * 1000);

/** Whether a screen would say the same. @param last its last line under any settings */
function isSame(
  line: TypeLine,
  before: TypeFinding | undefined,
  last: TypeFinding | undefined,
): boolean {
  if (before === undefined) return line.verdict === null && (last?.verdict ?? null) === null;
  const told = ['verdict', 'to', 'vs_btc', 'source', 'shows_at'] as const;
  return told.every((name) => line[name] === before[name]);
}
