import type { Seen } from './seen.ts';

/** What is offered where an option or a command takes a value. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly othersToo?: true }
  /** Several field names, comma-separated: which ones depends on the command. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'file' }
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

/** Options with a value, by what it may be, as `PLACE:FLAG` patterns of a shell: `*:--output`, `/signals/ls:--since`. */
export function valuePatterns(root: CommandModel): [values: Values, patterns: string[]][] {
  const found = new Map<string, [Values, string[]]>();
  for (const command of flat(root)) {
    for (const { flags, values } of command.options) {
      if (values === undefined) continue;
      const key = JSON.stringify(values);
      const [, patterns] = found.get(key) ?? [values, []];
      found.set(key, [values, [...patterns, ...flags.map((flag) => `${placeOf(command) || '*'}:${flag}`)]]);
    }
  }
  return [...found.values()];
}

/** Every command below, in the order of the tree, itself first. */
export function flat(model: CommandModel): CommandModel[] {
  return [model, ...model.commands.flatMap(flat)];
}
