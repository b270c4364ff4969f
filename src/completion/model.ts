import type { Seen } from './seen.ts';

/** What may stand where an option or a command takes a value. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Several field names, comma-separated: which ones depends on the command. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'directory' }
  /** What the last answers contained. */
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  /** Anything: nothing is offered. */
  | { readonly kind: 'free' };

export interface OptionModel {
  /** `--output`, `-o`: as they are typed. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Absent for a switch. */
  readonly values?: Values;
  readonly repeatable: boolean;
}

export interface CommandModel {
  /** The words that lead here, without the program's name: `['signals', 'ls']`. */
  readonly path: readonly string[];
  /** The last of them and its aliases. */
  readonly names: readonly string[];
  readonly about: string;
  /** Its own, without the global ones. */
  readonly options: readonly OptionModel[];
  readonly commands: readonly CommandModel[];
  /** What its arguments are; absent where it takes none. */
  readonly values?: Values;
  /** Names for --fields. */
  readonly fields: readonly { readonly name: string; readonly about: string }[];
}

/** A command's place: `/signals/ls`, empty for the program. */
export function placeOf(command: CommandModel): string {
  return command.path.map((word) => `/${word}`).join('');
}

/**
 * Options with a value, by what it may be, as `PLACE:FLAG` patterns of a shell: `*:--since`, or, where another command has
 * an option of that name with another meaning, `/signals/export:--outcomes`.
 */
export function valuePatterns(root: CommandModel): [values: Values, patterns: string[]][] {
  const meanings = new Map<string, Set<string>>();
  const options = flat(root).flatMap((command) =>
    command.options.flatMap((option) => option.flags.map((flag) => ({ flag, place: placeOf(command), ...option }))),
  );
  for (const { flag, values } of options) {
    meanings.set(flag, (meanings.get(flag) ?? new Set()).add(JSON.stringify(values ?? null)));
  }
  const patterns = new Map<string, [Values, Set<string>]>();
  for (const { flag, place, values } of options) {
    if (values === undefined) continue;
    const [, all] = patterns.get(JSON.stringify(values)) ?? [values, new Set<string>()];
    const isGlobal = place === '' || meanings.get(flag)?.size === 1;
    patterns.set(JSON.stringify(values), [values, all.add(`${isGlobal ? '*' : place}:${flag}`)]);
  }
  return [...patterns.values()].map(([values, all]) => [values, [...all]]);
}

/** Every command below, in the order of the tree, itself first. */
export function flat(model: CommandModel): CommandModel[] {
  return [model, ...model.commands.flatMap(flat)];
}
