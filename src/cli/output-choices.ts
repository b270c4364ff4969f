/** Which formats each class of output has, and where `--fields` chooses something. An option without effect is refused. */
import { orWords } from '../base/words.ts';
import type { OutputClass } from '../commands/parts/declaration.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import { FORMATS, type Format, PROGRAM_FLAGS } from '../output/formats.ts';

/** An output with fields has all formats. */
interface WithFields {
  /** In which formats --fields chooses something. */
  readonly fields: 'all' | 'those for programs';
}

interface WithoutFields {
  readonly fields: 'none';
  /** The formats that the output has. */
  readonly formats: readonly Format[];
  /** What the command prints for people. It ends the sentence "`screener sandbox` prints …". */
  readonly prints: string;
}

/** `--json, --ndjson or --csv` */
const FOR_PROGRAMS = orWords(PROGRAM_FLAGS);

const CHOICES: Readonly<Record<OutputClass, WithFields | WithoutFields>> = {
  document: { fields: 'all' },
  list: { fields: 'all' },
  'one or several': { fields: 'all' },
  lines: { fields: 'all' },
  receipt: { fields: 'those for programs' },
  variables: {
    fields: 'none',
    formats: ['table', 'json', 'ndjson'],
    prints: 'lines for a shell',
  },
  text: { fields: 'none', formats: ['table'], prints: 'a text' },
  'text or object': { fields: 'none', formats: ['table', 'json'], prints: 'a text' },
};

/** What was typed. */
interface TypedChoices {
  /** The command: `screener sandbox`. */
  readonly words: string;
  /** Undefined if none was typed. The format of SCREENER_OUTPUT does not count here: it is set for all commands. */
  readonly typedFormat: Format | undefined;
  /** The format in which the command prints: the typed one, otherwise the one in SCREENER_OUTPUT, otherwise `table`. */
  readonly format: Format;
  /** Whether --fields was typed. */
  readonly hasFields: boolean;
}

/** The error if a typed format, or --fields, changes nothing of what the command prints. @returns undefined if there is none */
export function uselessChoiceError(
  output: OutputClass,
  { words, typedFormat, format, hasFields }: TypedChoices,
): ScreenerError | undefined {
  const choices = CHOICES[output];
  if (choices.fields === 'none') {
    const { formats, prints } = choices;
    const isFormatUseless = typedFormat !== undefined && !formats.includes(typedFormat);
    if (!isFormatUseless && !hasFields) return undefined;
    const option = isFormatUseless ? `--${typedFormat}` : '--fields';
    const jsonHint = formats.includes('json') ? '; --json prints an object instead' : '';
    return usageError(
      `${option} chooses nothing here: \`${words}\` prints ${prints}.`,
      `Leave it out${jsonHint}.`,
    );
  }
  if (hasFields && choices.fields === 'those for programs' && FORMATS[format].isForPeople)
    return usageError(
      `--fields needs ${FOR_PROGRAMS} here: for people \`${words}\` prints no fields.`,
      'Leave out --fields, or add --json.',
    );
  return undefined;
}
