import { describe, expect, it } from 'vitest';
import { readOptions } from '../../src/cli/read-options.ts';
import type { OptionDeclaration } from '../../src/commands/option.ts';
import { duration, time, whole, words } from '../../src/commands/values.ts';
import { UTC } from '../../src/runtime/zone.ts';

const declared = [
  { flags: '-n, --limit <n>', about: 'cards', schema: whole(1) },
  { flags: '--all', about: 'every card', excludes: ['--limit'] },
  { flags: '--max-age <duration>', about: 'how old', schema: duration(), default: '26h', needs: ['--check', '--all'] },
  { flags: '--check', about: 'say whether' },
  { flags: '--no-outcomes', about: 'cards only', excludes: ['--check'], because: 'a check buys nothing' },
  { flags: '--by <group>', about: 'compare', schema: words(['type', 'day']), env: 'SCREENER_BY' },
  { flags: '--fault <fault>', about: 'fail', schema: words(['a', 'b']), repeatable: true },
  { flags: '--since <time>', about: 'from', schema: (reading) => time(reading), notAfter: '--until' },
  { flags: '--until <time>', about: 'to', schema: (reading) => time(reading) },
] as const satisfies readonly OptionDeclaration[];

const read = (typed: object, env = {}) => readOptions(declared, { ...typed }, { now: 1e12, env, zone: UTC });

describe('one declaration of an option', () => {
  it('gives each value by its name, and what holds without it', () => {
    expect(read({})).toEqual({
      limit: undefined,
      all: false,
      maxAge: 26 * 3_600_000,
      check: false,
      outcomes: true,
      by: undefined,
      fault: [],
      since: undefined,
      until: undefined,
    });
    const given = { limit: '5', outcomes: false, by: 'day', fault: ['b', 'a'], since: '1m' };
    expect(read(given)).toMatchObject({ ...given, limit: 5, since: 1e12 - 60_000 });
  });

  it.each<[object, string, string?]>([
    [{ limit: '0' }, "--limit takes a whole number from 1, not '0'."],
    [{ limit: '1', all: true }, '--all and --limit exclude each other.', 'Leave out --all or --limit.'],
    [{ maxAge: '1h' }, '--max-age needs --check or --all.', 'Add --check, or --all.'],
    [
      { check: true, outcomes: false },
      '--no-outcomes and --check exclude each other: a check buys nothing.',
      'Leave out --no-outcomes or --check.',
    ],
    [{ by: 'dya' }, "--by takes type, day, not 'dya'.", "Did you mean 'day'?"],
    [{ fault: ['a', 'c'] }, "--fault takes a, b, not 'c'.", "Did you mean 'a'?"],
    [{ since: '1m', until: '2m' }, '--since is after --until.', 'Exchange the two.'],
  ])('%o is refused', (typed, message, hint) => {
    expect(() => read(typed)).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
  });

  it('takes the environment where the option is not given, and names the variable', () => {
    expect(read({}, { SCREENER_BY: 'day' }).by).toBe('day');
    expect(read({ by: 'type' }, { SCREENER_BY: 'day' }).by).toBe('type');
    expect(() => read({}, { SCREENER_BY: 'x' })).toThrow("SCREENER_BY takes type, day, not 'x'.");
  });
});
