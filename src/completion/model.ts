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

/** Every command below, in the order of the tree, itself first. */
export function flat(model: CommandModel): CommandModel[] {
  return [model, ...model.commands.flatMap(flat)];
}

/**
 * Options that take a value where they stand and are a switch elsewhere, by the place of their command:
 * `/signals/export --outcomes`. Everywhere else an option's name is enough to know it.
 */
export function optionsByPlace(root: CommandModel): ReadonlyMap<string, OptionModel> {
  const commands = flat(root);
  const switches = new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ values }) => values === undefined).flatMap(({ flags }) => flags),
    ),
  );
  const placed = new Map<string, OptionModel>();
  for (const { path, options } of commands) {
    for (const option of options) {
      if (option.values === undefined) continue;
      for (const flag of option.flags) {
        if (switches.has(flag)) placed.set(`${path.map((word) => `/${word}`).join('')} ${flag}`, option);
      }
    }
  }
  return placed;
}
