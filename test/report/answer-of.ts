import type { Standing } from '../../src/outcomes/standing.ts';
import { answerSection, type ReportAnswer } from '../../src/report/answer.ts';

/** The report's section on which types to keep, as text with its tags. */
export function answerTextOf(
  standings: readonly Standing[],
  more: Partial<Pick<ReportAnswer, 'record' | 'endedAt'>> = {},
): string {
  const { text } = answerSection({
    judgements: { standings } as unknown as ReportAnswer['judgements'],
    differences: [],
    days: 40,
    rateDays: '',
    record: [],
    endedAt: undefined,
    ...more,
  });
  return text;
}
