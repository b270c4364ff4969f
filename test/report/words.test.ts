/** The words and axes that every picture of the report is made of. */
import { describe, expect, it } from 'vitest';
import {
  breakable,
  facts,
  html,
  intervalText,
  isFew,
  label,
  type Markup,
  note,
  shareText,
  signedFigure,
} from '../../src/report/markup.ts';
import { countAxis, dayAxis, signedAxis, UPRIGHT } from '../../src/report/plot.ts';

const DAY = 86_400_000;

const textOf = (markup: Markup | false) => markup !== false && markup.text;

describe('a figure in words', () => {
  it('has a sign, two decimals, and nothing where there is none', () => {
    const words = [1.25, -0.304, 0, -0.001, null].map((value) => signedFigure(value));
    expect(words).toEqual(['+1.25', '−0.30', '0.00', '0.00', '']);
    expect(signedFigure(-2.71849, 3)).toBe('−2.718');
  });

  it('has an interval', () => {
    expect(intervalText({ low: -1, high: 2.5 })).toBe('−1.00 to +2.50');
  });

  it('is as short as it may be', () => {
    expect([0, 0.684, 1].map(shareText)).toEqual(['0 %', '68 %', '100 %']);
    expect([0.4 / 300, 299.5 / 300].map(shareText)).toEqual(['1 %', '99 %']);
  });

  it('has a minus sign, also where a terminal has a hyphen', () => {
    const { text } = html`<td>${'-2.96 to +0.23 (-0.4), since 2026-09-29, x>=-5, up 3-4'}</td>`;
    expect(text).toBe('<td>−2.96 to +0.23 (−0.4), since 2026-09-29, x&#62;=-5, up 3-4</td>');
  });

  it('is a percentage from thirty outcomes on', () => {
    expect([29, 30].map(isFew)).toEqual([true, false]);
  });
});

describe('a text of the service', () => {
  it('is cut at forty characters', () => {
    expect(label('x'.repeat(40))).toBe('x'.repeat(40));
    expect(label('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
    expect(label(`${'x'.repeat(38)}🚀🚀`), 'no half of an emoji').toBe(`${'x'.repeat(38)}…`);
  });

  it('breaks after its signs, but not behind the last one', () => {
    expect(textOf(breakable('a_b-c.d/e_'))).toBe('a_<wbr>b-<wbr>c.<wbr>d/<wbr>e_');
    expect(textOf(breakable('<b>'))).toBe('&#60;b&#62;');
  });
});

describe('what is said beside a picture', () => {
  it('is left out where there is nothing to say', () => {
    expect({ note: note(false, false), facts: facts([]) }).toEqual({
      note: false,
      facts: false,
    });
    expect(textOf(note('One.', false, 'Two.'))).toBe('<p class="note">One. Two.</p>\n');
    expect(textOf(facts([['Yours', 'x<y']]))).toBe('<dl><dt>Yours</dt><dd>x&#60;y</dd>\n</dl>\n');
  });
});

describe('an axis', () => {
  const textsOf = ({ ticks }: { ticks: readonly { text: string }[] }) =>
    ticks.map(({ text }) => text);

  it('of signed figures holds zero and ends at round ones', () => {
    const axis = signedAxis([0.3, 1.7]);
    expect({ low: axis.low, high: axis.high, zero: axis.zero }).toEqual({
      low: 0,
      high: 2,
      zero: 0,
    });
    expect(textsOf(axis)).toEqual(['0.0', '+0.5', '+1.0', '+1.5', '+2.0']);
    // What lies beyond is drawn at the end.
    expect([-1, 1, 9].map(axis.at)).toEqual([0, 0.5, 1]);
  });

  it('upright grows from the bottom', () => {
    const axis = signedAxis([-4, 4], UPRIGHT);
    expect([-4, 0, 4].map(axis.at)).toEqual([120, 60, 0]);
  });

  it('without values goes from −1 to +1', () => {
    for (const values of [[], [0]]) {
      const { low, high } = signedAxis(values);
      expect({ values, low, high }).toEqual({ values, low: -1, high: 1 });
    }
  });

  it('of counts begins at 0 and is never lower than four', () => {
    expect(textsOf(countAxis(1))).toEqual(['0', '1', '2', '3', '4']);
    expect(textsOf(countAxis(20, (value) => `${value} %`))).toEqual(
      [0, 5, 10, 15, 20].map((value) => `${value} %`),
    );
  });

  it('of days names midnights, and of a long time the firsts of months', () => {
    const first = Date.UTC(2026, 7, 3);
    expect(textsOf(dayAxis(first, first + 2 * DAY))).toEqual(['3 Aug', '4 Aug']);
    const { ticks, at } = dayAxis(first, first + 400 * DAY);
    expect(ticks.map(({ text }) => text)).toEqual(['Oct 2026', 'Jan 2027', 'Apr 2027', 'Jul 2027']);
    expect(ticks[0]?.at).toBe(at(Date.UTC(2026, 9, 1)));
    expect([first - DAY, first + 200 * DAY].map(at)).toEqual([0, 0.5]);
  });
});
