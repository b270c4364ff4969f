/** Help for programs, made from the declarations: a map of all commands, and for each command a document with all its details. */
import type { JsonSchema } from '@valibot/to-json-schema';
import {
  type CommandDeclaration,
  commandOf,
  everyPath,
  isAction,
  type Path,
  type Variant,
  whenInWords,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../commands/parts/global-options.ts';
import {
  type ArgumentDeclaration,
  argumentOf,
  flagsOf,
  type OptionDeclaration,
} from '../commands/parts/option.ts';
import type { Format } from '../output/formats.ts';
import { planView } from '../output/views/plan.ts';
import { version } from '../version.ts';
import { aboutOf, EXITS } from './help.ts';
import { createSchemas, type Schemas, typedSchema } from './schemas.ts';
import { topicNames } from './topics.ts';

/**
 * `screener help --json`: all commands in few words. `JSON.stringify` leaves out what is undefined, here and below.
 * A `Path` is a command after the commands above it: `screener`, `signals`, `ls`.
 */
export function mapDocument([root]: Path) {
  const paths = everyPath([root]).filter((path) => isAction(commandOf(path)));
  return {
    name: root.name,
    version,
    about: `${root.description}.`,
    more: {
      'screener help COMMAND --json':
        'all of one command: options with JSON Schemas, examples, exit codes, its outputs',
      'screener help agents': 'how to use it well from a program',
      'screener help TOPIC': topicNames.join(', '),
    },
    global_options: GLOBAL_OPTIONS.map(({ flags }) => flags),
    exit_codes: EXITS,
    commands: paths.map((path) => {
      const { description, cost, argument, options } = commandOf(path);
      return {
        command: wordsOf(path),
        about: description,
        credits: cost,
        argument: argument?.term,
        options: options?.map((option) => flagsOf(option).long),
      };
    }),
  };
}

/** `screener help COMMAND --json`: one command whole. Schemas that have a name are in `$defs`. */
export async function commandDocument(path: Path) {
  const command = commandOf(path);
  const { description, about, alias, argument, options = [], commands, examples } = command;
  const schemas = createSchemas();
  return {
    command: wordsOf(path),
    alias,
    about: about === undefined ? `${description}.` : `${description}. ${about}`,
    credits: command.cost,
    commands: commands?.map(({ name }) => name),
    argument: argument === undefined ? undefined : argumentDocument(argument),
    options: options.map(optionDocument),
    global_options: GLOBAL_OPTIONS.map(optionDocument),
    examples: examples.map(([line, remark]) => ({ line, remark: remark || undefined })),
    exit_codes: EXITS,
    output_note: command.output,
    outputs: await outputsOf(command, schemas),
    $defs: schemas.defs,
  };
}

function argumentDocument(argument: ArgumentDeclaration) {
  return { ...argumentOf(argument), about: argument.about, schema: typedSchema(argument) };
}

function optionDocument(option: OptionDeclaration) {
  const { short, long, placeholder } = flagsOf(option);
  const { env, needs, excludes, repeatable } = option;
  const schema = typedSchema(option);
  return {
    option: long,
    about: aboutOf(option),
    short,
    value: placeholder,
    env,
    needs,
    excludes,
    repeatable,
    schema,
  };
}

/** Formats whose output has a schema. A table has no schema. CSV has none of its own: its columns are fields of the JSON. */
type FormatWithSchema = Exclude<Format, 'table' | 'csv'>;

/** The compiler refuses this interface if a format is added whose schema is not declared here. */
interface FormSchemas extends Readonly<Record<FormatWithSchema, JsonSchema | null>> {
  /** The schema of the document that --json prints; null if there is no such form. */
  readonly json: JsonSchema | null;
  /** The schema of a line of --ndjson. */
  readonly ndjson: JsonSchema;
}

/** One form of a command's output. */
interface OutputSchemas extends FormSchemas {
  /** The options that ask for this form; undefined for the usual one. */
  readonly with: string | undefined;
}

async function outputsOf(command: CommandDeclaration, schemas: Schemas): Promise<OutputSchemas[]> {
  const { variants = [], specialOutputs = [] } = command;
  const outputs: OutputSchemas[] = [];
  for (const variant of variants) {
    outputs.push({ with: whenInWords(variant, command), ...(await formsOf(variant, schemas)) });
  }
  // A plan of another form, such as the plan of an export, is among `specialOutputs`.
  const usualPlan = { options: '--plan', fields: async () => planView.fields };
  const plans = variants.length === 0 ? [] : [usualPlan];
  for (const { options, fields } of [...specialOutputs, ...plans]) {
    const schema = schemas.shared(schemas.ofFields(await fields()));
    outputs.push({ with: options, json: schema, ndjson: schema });
  }
  return outputs;
}

async function formsOf(
  { shape, answer, fields, head }: Variant,
  schemas: Schemas,
): Promise<FormSchemas> {
  const resource = answer === undefined ? undefined : schemas.ofResource(answer);
  const itemOfResource = shape === 'list' ? itemSchemaOf(resource) : undefined;
  // `fields` declares one line of --ndjson: an item of a list, or the whole document.
  const declaredSchema = resource ?? schemas.ofFields(await fields());
  const line = itemOfResource ?? schemas.shared(declaredSchema);
  if (shape === 'document' || shape === 'receipt' || shape === 'variables')
    return { json: line, ndjson: line };
  if (shape === 'lines') return { json: null, ndjson: line };
  if (shape === 'one or several')
    return {
      json: { anyOf: [line, { type: 'array', items: line }] } satisfies JsonSchema,
      ndjson: line,
    };
  // Here the output is a list. If the list is the service's answer, its schema is that of the answer.
  if (resource !== undefined) return { json: resource, ndjson: line };
  const headFields = head === undefined ? [] : await head();
  return { json: schemas.ofList(line, headFields), ndjson: line };
}

/** The schema of an item of a list; undefined without a list. */
function itemSchemaOf(list: JsonSchema | undefined): JsonSchema | undefined {
  // The list is an object whose property `items` is an array. An array's schema has that of its items in `items`, too.
  const array = list?.properties?.items as JsonSchema | undefined;
  return array?.items as JsonSchema | undefined;
}
