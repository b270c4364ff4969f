/** What a typed format and `--fields` choose of an output. An option that would choose nothing is refused. */
import { orWords } from '../base/words.ts';
import type { OutputClass } from '../commands/parts/declaration.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import { FORMAT_NAMES, FORMATS, type Format, PROGRAM_FORMATS } from '../output/formats.ts';

interface Choices {
  /** In which formats --fields chooses something. */
  readonly fields: 'all' | 'those for programs' | 'none';
  /** The formats that it has; absent if it has all. */
  readonly formats?: readonly Format[];
  /** What it prints for people: the end of a sentence. */
  readonly prints?: string;
}

/** The formats of the lines that set variables of a shell. */
const OF_VARIABLES: Readonly<Record<Format, boolean>> = {
  table: true,
  json: true,
  ndjson: true,
  csv: false,
};

/** `--json, --ndjson or --csv` */
const FOR_PROGRAMS = orWords(PROGRAM_FORMATS.map((name) => `--${name}`));

const CHOICES: Readonly<Record<OutputClass, Choices>> = {
  document: { fields: 'all' },
  list: { fields: 'all' },
  'one or several': { fields: 'all' },
  lines: { fields: 'all' },
  receipt: { fields: 'those for programs' },
  variables: {
    fields: 'none',
    formats: FORMAT_NAMES.filter((name) => OF_VARIABLES[name]),
    prints: 'lines for a shell',
  },
  text: { fields: 'none', formats: ['table'], prints: 'a text' },
  'text or object': { fields: 'none', formats: ['table', 'json'], prints: 'a text' },
};

/** What was typed. */
interface TypedChoices {
  /** The command: `screener sandbox`. */
  readonly words: string;
  /**
   * Undefined if none was typed. A format of the environment is no mistake, because it is for all commands: it does not
   * belong here.
   */
  readonly typedFormat: Format | undefined;
  /** The format that counts, from wherever. */
  readonly format: Format;
  readonly hasFields: boolean;
}

/** @returns the error to throw, if the format or --fields chooses nothing of such an output */
export function choosesNothing(
  output: OutputClass,
  { words, typedFormat, format, hasFields }: TypedChoices,
): ScreenerError | undefined {
  const { fields, formats, prints } = CHOICES[output];
  const isUnknownFormat = typedFormat !== undefined && formats?.includes(typedFormat) === false;
  if (isUnknownFormat || (hasFields && fields === 'none')) {
    const option = isUnknownFormat ? `--${typedFormat}` : '--fields';
    const object = formats?.includes('json') ? '; --json prints an object instead' : '';
    return usageError(
      `${option} chooses nothing here: \`${words}\` prints ${prints}.`,
      `Leave it out${object}.`,
    );
  }
  if (hasFields && fields === 'those for programs' && FORMATS[format].isForPeople)
    return usageError(
      `--fields needs ${FOR_PROGRAMS} here: for people \`${words}\` prints no fields.`,
      'Leave out --fields, or add --json.',
    );
  return undefined;
}
