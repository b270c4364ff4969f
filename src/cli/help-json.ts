/** Help for programs: a map of all commands, and all there is to say of one. Made from the declarations. */
import type { JsonSchema } from '@valibot/to-json-schema';
import {
  askedBy,
  type CommandDeclaration,
  commandOf,
  everyPath,
  isAction,
  type Path,
  type Way,
  wordsOf,
} from '../commands/declaration.ts';
import { GLOBAL_OPTIONS } from '../commands/global-options.ts';
import { argumentOf, flagsOf, type OptionDeclaration } from '../commands/option.ts';
import { ERRORS } from '../errors.ts';
import { planView } from '../output/views/plan.ts';
import { version } from '../version.ts';
import { EXITS } from './exits.ts';
import { aboutOf, exitsOf } from './help.ts';
import { createSchemas, typedSchema } from './schemas.ts';
import { topicNames } from './topics.ts';

/** `screener help --json`: what there is, in few words. JSON leaves out what is undefined, here and below. */
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
    exit_codes: Object.fromEntries(EXITS.map(({ code, about }) => [code, about])),
    commands: paths.map((path) => {
      const { description, cost, argument, options } = commandOf(path);
      return {
        command: wordsOf(path),
        about: description,
        credits: cost,
        argument: argument?.term,
        options: options?.map((one) => flagsOf(one).long),
      };
    }),
  };
}

/** `screener help COMMAND --json`: schemas that have a name are in `$defs`. */
export async function commandDocument(path: Path) {
  const command = commandOf(path);
  const { description, about, alias, argument, options = [], commands, examples } = command;
  const schemas = createSchemas();
  return {
    command: wordsOf(path),
    alias,
    about: [`${description}.`, ...(about === undefined ? [] : [about])].join(' '),
    credits: command.cost,
    commands: commands?.map(({ name }) => name),
    argument: argument && { ...argumentOf(argument), about: argument.about, schema: typedSchema(argument) },
    options: options.map(optionDocument),
    global_options: GLOBAL_OPTIONS.map(optionDocument),
    examples: examples.map(([line, remark]) => ({ line, remark: remark || undefined })),
    exit_codes: Object.fromEntries(exitsOf(path).map((exit) => [exit.code, exit.about])),
    output_note: command.output,
    outputs: await outputsOf(command, schemas),
    errors: ERROR,
    $defs: schemas.defs,
  };
}

function optionDocument(option: OptionDeclaration) {
  const { short, long, placeholder } = flagsOf(option);
  const { env, needs, excludes, repeatable } = option;
  const schema = typedSchema(option);
  return { option: long, about: aboutOf(option), short, value: placeholder, env, needs, excludes, repeatable, schema };
}

type Schemas = ReturnType<typeof createSchemas>;

interface Form {
  readonly asked: string | undefined;
  readonly json: JsonSchema | null;
  /** Where in the schema of --json that of a line of --ndjson stands; or the schema itself. */
  readonly line: string | JsonSchema;
}

/** The schema of the document that --json prints, and of a line of --ndjson; null where there is no such form. */
async function outputsOf(command: CommandDeclaration, schemas: Schemas) {
  const { ways = [], otherForms = [] } = command;
  const forms = await Promise.all(ways.map((way) => formOf(way, command, schemas)));
  const special = await Promise.all(
    otherForms.map(async ({ options, fields }) => ({
      asked: options,
      json: schemas.ofFields(await fields()),
      line: '',
    })),
  );
  const isPlanned = ways.some(({ sends }) => sends !== 'itself');
  const plan = isPlanned ? [{ asked: '--plan', json: schemas.ofFields(planView.fields), line: '' }] : [];
  return [...forms.flat(), ...special, ...plan].map(({ asked, json, line }, index) => ({
    with: asked,
    json,
    ndjson: typeof line === 'string' ? { $ref: `#/outputs/${index}/json${line}` } : line,
  }));
}

async function formOf(way: Way, command: CommandDeclaration, schemas: Schemas): Promise<Form[]> {
  const fields = await way.fields?.();
  if (fields === undefined) return [];
  const { answer, shape, head } = way;
  const asked = askedBy(way, command);
  const one = answer === undefined ? schemas.ofFields(fields) : schemas.ofResource(answer);
  switch (shape) {
    case 'lines':
      return [{ asked, json: null, line: one }];
    case 'list':
      return [{ asked, json: schemas.ofList(one, (await head?.()) ?? []), line: '/properties/items/items' }];
    case 'one or several':
      return [{ asked, json: { anyOf: [one, { type: 'array', items: one }] }, line: '/anyOf/0' }];
    default:
      return [{ asked, json: one, line: one.properties?.items === undefined ? '' : '/properties/items/items' }];
  }
}

/** The last line of standard error in json, ndjson and csv, where the exit code is not 0. */
const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'exit_code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        exit_code: { type: 'integer', enum: EXITS.map(({ code }) => code) },
        status: { type: 'integer', description: 'HTTP status, where the service answered' },
        message: { type: 'string' },
        hint: { type: 'string' },
        retry_after: { type: 'number', description: 'seconds' },
        retry_at: { type: 'string', format: 'date-time' },
      },
    },
  },
};
