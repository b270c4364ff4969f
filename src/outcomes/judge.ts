/**
 * The one judge: what an export asks at its end. Pure: of what is known and the notebook so far, the lines to append.
 * It asks the default question: all types, 24 h, the last 180 days, outcomes of whole settled UTC days.
 */
import { HORIZON_NAMES, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at, formatApiTime } from '../api/time.ts';
import { DAY, dayNumber } from '../runtime/units.ts';
import { LEVEL } from '../statistics/holm.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { verdictAfter } from '../statistics/verdict.ts';
import { withCircumstances } from './circumstances.ts';
import { differencesOf, symbolsOfBtc } from './differences.ts';
import { groupCards } from './figures.ts';
import { type Finding, foundOf, isOfType, lastMedians, type MediansFinding, type TypeFinding } from './findings.ts';
import { compareAt, type HorizonData, lastSettledDay, NEVER, waitOf } from './horizon.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { JUDGED_WINDOW } from './question.ts';
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
  const around = withCircumstances(judged.rows.filter((row) => row.at >= since - DAY));
  const rows = around.filter((row) => row.at >= since).toSorted((one, other) => one.at - other.at);
  const answers = answersWithin(judged.answers, { since, until: now });
  const recent = { ...judged, rows, answers };
  const medians = newMedians(recent, findings);
  const types = judgeTypes(recent, [...findings, ...medians], medians.length > 0);
  return [...medians, ...types, ...judgeNumbers(rows, { ...judged, until: now }, findings)];
}

/** Medians are worked out after a sitting or a change of settings, then kept: else words would flicker. */
function newMedians({ rows, answers, settingsSince, now }: Evidence, findings: readonly Finding[]): MediansFinding[] {
  const ofBtc = symbolsOfBtc(rows);
  const changes = [...answers.map((one) => one.at), ...settingsSince.values()];
  return HORIZON_NAMES.flatMap((horizon) => {
    const last = lastMedians(findings, horizon);
    const isKnown = last !== undefined && changes.every((time) => time <= at(last.at));
    // Medians of answers that are too old now are withdrawn.
    if (answers.length === 0 ? Object.keys(last?.types ?? {}).length === 0 : isKnown) return [];
    const differences = differencesOf(rows, horizon, ofBtc);
    const types = Object.fromEntries(serviceMedians({ answers, rows, differences, horizon, ofBtc, settingsSince }));
    // The next run tries again where too little is bought.
    const isEmpty = Object.keys(types).length === 0 && last === undefined;
    return isEmpty ? [] : [{ at: formatApiTime(now), about: 'medians', horizon, types }];
  });
}

function judgeTypes(judged: Evidence, findings: readonly Finding[], isNew: boolean): TypeFinding[] {
  const { rows, settingsSince, answers, now } = judged;
  const last = lastSettledDay(now);
  const settled = rows.filter((row) => dayNumber(row.at) <= last);
  const medians = findings.filter(({ about }) => about === 'medians');
  const decided = findings.flatMap((one) => (one.about === 'type' && !isNew ? [[one.type, one.source] as const] : []));
  const question = { by: 'type', now, answers, settingsSince, sources: new Map(decided), findings: medians } as const;
  const grouped = groupCards(settled, question);
  const compared = compareAt(MAIN_HORIZON, grouped, question);
  const ofTypes = grouped.shown.flatMap(({ group }, i) => {
    const type = String(group);
    const since = settingsSince.get(type);
    const before = foundOf(findings, isOfType(type), since)?.last;
    const line = lineOf(compared[i] as HorizonData, before, { now, isNew });
    const settings_since = since === undefined ? null : formatApiTime(since);
    return isSame(line, before, findings.findLast(isOfType(type)))
      ? []
      : [{ at: formatApiTime(now), about: 'type' as const, type, ...line, settings_since }];
  });
  return [...ofTypes, ...withdrawn(findings, new Set(grouped.shown.map(({ group }) => group)), now)];
}

type TypeLine = Omit<TypeFinding, 'at' | 'about' | 'type' | 'settings_since'>;

function lineOf(
  { shown, shownTo: to, service, nextMedians, sample, series, vsBtc }: HorizonData,
  before: TypeFinding | undefined,
  { now, isNew }: { now: number; isNew: boolean },
): TypeLine {
  const verdict = verdictAfter(before?.to === to ? before.verdict : undefined, shown);
  const isWaiting = before?.verdict === 'unclear' && !isNew && isAhead(before, now);
  const wait = () => (isWaiting ? before : noted(waitOf(shown, now, { service, nextMedians })));
  const { shows_at, shows_by } = verdict === 'unclear' ? wait() : noted(NEVER);
  return {
    verdict,
    to,
    vs_btc: verdictAfter(before?.vs_btc, vsBtc),
    difference_percentage_points: cleanOrNull(shown.value),
    interval_95: shown.interval(LEVEL),
    sample: service?.sample ?? (to === 'btc' ? sample.size : series.values.length),
    source: service === undefined ? 'bought' : 'service',
    shows_at,
    shows_by,
  };
}

/** Whether the last wait may still come true; "never" is asked again after a month. */
function isAhead({ at: said, shows_at }: TypeFinding, now: number): boolean {
  return shows_at === null ? now - at(said) < STATS_WINDOW : at(shows_at) > now;
}

/** A wait as the notebook has it: the moment rounded up to the second. */
function noted(wait: ReturnType<typeof waitOf>): Pick<TypeLine, 'shows_at' | 'shows_by'> {
  if (wait === NEVER) return { shows_at: null, shows_by: null };
  return { shows_at: formatApiTime(Math.ceil(wait.until / 1000) * 1000), shows_by: wait.by };
}

/** Whether a screen would say the same. @param last its last line under any settings */
function isSame(line: TypeLine, before: TypeFinding | undefined, last: TypeFinding | undefined): boolean {
  if (before === undefined) return line.verdict === null && (last?.verdict ?? null) === null;
  const told = ['verdict', 'to', 'vs_btc', 'source', 'shows_at'] as const;
  return told.every((name) => line[name] === before[name]);
}

function withdrawn(findings: readonly Finding[], present: ReadonlySet<string | null>, now: number): TypeFinding[] {
  const last = new Map(findings.flatMap((one) => (one.about === 'type' ? [[one.type, one]] : [])));
  return [...last.values()].flatMap((one): TypeFinding[] =>
    present.has(one.type) || one.verdict === null
      ? []
      : [{ ...one, at: formatApiTime(now), verdict: null, vs_btc: null, shows_at: null, shows_by: null }],
  );
}
