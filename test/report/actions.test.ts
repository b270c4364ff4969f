/** The lines below the title are those of the terminal: each phrase on a line, names and figures as a page has them. */
import { expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import { actionsOf } from '../../src/output/views/actions.ts';
import { actionFacts } from '../../src/report/actions.ts';
import { facts } from '../../src/report/markup.ts';
import { judged, sure } from '../support/standing.ts';

function pageOf(standings: readonly Standing[]): string {
  const actions = actionsOf(standings, { suggestions: [], areSettingsSearched: true });
  const list = facts(actionFacts(actions));
  return list === false ? '' : list.text;
}

it('colour what to keep and what to drop, and write figures with a minus sign', () => {
  const keep = judged('a', 'above', { base: { ...sure, vsOthers: 2.07 } });
  const drop = judged('c', 'below', {
    verdictVsBtc: 'below',
    base: { ...sure, vsOthers: -2.08, vsBtc: -1.54 },
  });
  expect(pageOf([keep, judged('b', 'small'), drop])).toBe(
    [
      '<dl>',
      '<dt>Keep</dt><dd><b class="above">a</b> (+2.1 pp vs your other cards)<br>for now also <b>b</b></dd>\n',
      '<dt>Drop</dt><dd><b class="below">c</b> (−2.1 pp vs your other cards, −1.5 vs BTC)</dd>\n',
      '<dt>Change</dt><dd>nothing found yet</dd>\n',
      '</dl>\n',
    ].join(''),
  );
});

it('are one line where nothing is to be done', () => {
  expect(pageOf([judged('a', 'unclear'), judged('b', 'small')])).toMatch(
    /^<dl><dt>To do<\/dt><dd>nothing to drop or change yet: keep <b>a<\/b> and <b>b<\/b> for now<\/dd>/,
  );
});

it('escape and shorten the names that the service gives', () => {
  const page = pageOf([judged('<script>', 'above'), judged('x'.repeat(60), 'above')]);
  expect(page).toContain('<b class="above">&#60;script&#62;</b>');
  expect(page).toContain(`<b class="above">${'x'.repeat(39)}…</b>`);
});
