import type { Command } from 'commander';
import type { Field } from '../output/types.ts';

/** What every command's help says beyond its options. */
export interface Explanation {
  /** Credits, in words. */
  readonly cost: string;
  readonly about?: string;
  /** Command line and, where it needs one, a remark. */
  readonly examples: readonly (readonly [string, string])[];
  /** Names for --fields, CSV columns and JSON keys. */
  readonly fields?: readonly Field[];
  readonly fieldsNote?: string;
  readonly exits: readonly number[];
}

const EXITS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'unexpected failure',
  2: 'wrong usage, nothing was sent',
  3: 'not logged in, or the key was not accepted',
  4: 'no active PRO plan',
  5: 'not found',
  6: 'the service rejected the arguments',
  7: 'out of quota, or your own limit forbids it',
  8: 'service unavailable, network, timeout',
  9: 'an answer that does not match the API document',
};

const WIDTH = 80;

export function configureHelp(program: Command): void {
  program.configureHelp({ helpWidth: WIDTH, showGlobalOptions: true, sortSubcommands: false });
  program.helpOption('-h, --help', 'show help');
  program.helpCommand(false);
}

/** Adds purpose, cost, examples, output fields and exit codes to a command's help. */
export function explain(command: Command, explanation: Explanation): Command {
  const { cost, about, examples, fields, fieldsNote, exits } = explanation;
  command.configureHelp({ helpWidth: WIDTH, showGlobalOptions: true });
  command.addHelpText('before', '');
  return command.addHelpText('after', () =>
    [
      '',
      ...(about === undefined ? [] : [about, '']),
      `Cost: ${cost}`,
      '',
      'Examples:',
      ...examples.map(([line, remark]) => (remark === '' ? `  ${line}` : `  ${line}\n      ${remark}`)),
      ...(fields === undefined ? [] : ['', 'Fields:', ...wrap(fields.map((field) => field.name))]),
      ...(fieldsNote === undefined ? [] : [`  ${fieldsNote}`]),
      '',
      'Exit codes:',
      ...exits.map((code) => `  ${code}  ${EXITS[code]}`),
      '',
    ].join('\n'),
  );
}

function wrap(names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const name of names) {
    if (line.length + name.length + 1 > WIDTH) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${name}`;
  }
  return [...lines, line];
}
