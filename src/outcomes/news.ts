/** What is worth telling of the notebook: found above or below, a telling number, and their withdrawals. */
import type { Finding, NumberFinding, TypeFinding } from './findings.ts';

export interface News {
  readonly at: string;
  readonly kind: 'verdict' | 'number';
  readonly screener_type: string;
  readonly number: string | null;
  /** The line it is, and the one before about the same; neither above nor below, nor telling: withdrawn. */
  readonly line: TypeFinding | NumberFinding;
  readonly before: TypeFinding | NumberFinding | undefined;
}

export const isNews = (one?: TypeFinding | NumberFinding) =>
  one !== undefined && ['above', 'below', 'higher', 'lower'].includes(String(one.verdict));

export function newsOf(findings: readonly Finding[], since: number): News[] {
  const last = new Map<string, TypeFinding | NumberFinding>();
  return findings.flatMap((line): News[] => {
    if (line.about === 'medians') return [];
    const number = line.about === 'number' ? line.number : null;
    const about = JSON.stringify([line.type, number, line.about === 'number' && line.absolute]);
    const before = last.get(about);
    last.set(about, line);
    const hasChanged =
      line.verdict !== before?.verdict ||
      (line.about === 'number' && before?.about === 'number' && line.cut !== null && before.cut === null);
    if (Date.parse(line.at) <= since || !hasChanged || !(isNews(line) || isNews(before))) return [];
    return [
      { at: line.at, kind: number === null ? 'verdict' : 'number', screener_type: line.type, number, line, before },
    ];
  });
}
