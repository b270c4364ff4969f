import type { JsonSchema } from '@valibot/to-json-schema';
import {
  askedBy,
  type CommandDeclaration,
  commandOf,
  everyPath,
  type Given,
  isAction,
  type Path,
  type Way,
  wordsOf,
} from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import { argumentOf, flagsOf, type OptionDeclaration, offeredFor } from '../commands/option.ts';
import { EXIT_OF } from '../errors.ts';
import { planView } from '../output/views/plan.ts';
import { version } from '../version.ts';
import { EXITS } from './exits.ts';
import { aboutOf, exitsOf } from './help.ts';
import { fieldsSchema, lineSchema, listSchema, resourceSchema, typedSchema } from './schemas.ts';

/** How to read the catalogue. */
const ABOUT = [
  'schema of an option or argument: JSON Schema (2020-12) of the value as it is typed; default: what holds without it.',
  'needs: one of these options must be given too. excludes: none of them may be given.',
  'output: JSON Schema of what --json prints, and of each line of --ndjson; null where there is none. With --fields only those fields are there.',
  'other_forms: what is printed instead with the options named. plan: what --plan prints, where other_forms do not say otherwise: the cost in credits, before anything is spent.',
  'error: the last line of standard error in json, ndjson and csv, where the exit code is not 0. A watch ends with 130 and no error.',
];

/** `screener help --json`: what the program can do, for scripts and agents: made from the declarations. */
export async function printCatalogue({ context, root }: Given): Promise<void> {
  const paths = everyPath([root]).filter((path) => isAction(commandOf(path)));
  const globals = [...GLOBAL_OPTIONS, VERSION_OPTION, HELP_OPTION];
  const catalogue = {
    name: root.name,
    version,
    description: `${root.description}.`,
    about: ABOUT,
    global_options: globals.map((option) => optionOf(option, globals)),
    exit_codes: EXITS.map(({ code, long }) => ({ code, meaning: long, errors: errorsOf(code) })),
    commands: await Promise.all(paths.map(entryOf)),
    plan: fieldsSchema(planView.fields),
    error: ERROR,
  };
  await context.stdout.write(`${JSON.stringify(catalogue, null, 2)}\n`);
}

async function entryOf(path: Path) {
  const command = commandOf(path);
  const { alias, argument, options = [], about } = command;
  return {
    command: wordsOf(path),
    aliases: alias === undefined ? [] : [alias],
    description: `${command.description}.`,
    ...(about === undefined ? {} : { about }),
    cost: command.cost,
    arguments:
      argument === undefined
        ? []
        : [
            {
              ...argumentOf(argument),
              about: argument.about,
              values: wordsOffered(argument),
              schema: typedSchema(argument),
            },
          ],
    options: options.map((option) => optionOf(option, options)),
    examples: command.examples.map(([line, remark]) => ({ line, remark })),
    exit_codes: exitsOf(command).map(({ code }) => code),
    ...(command.output === undefined ? {} : { output_note: command.output }),
    output: await outputOf(command),
  };
}

function optionOf(option: OptionDeclaration, others: readonly OptionDeclaration[]) {
  const { short, long, placeholder } = flagsOf(option);
  const excludedBy = others.filter(({ excludes = [] }) => excludes.includes(long)).map((other) => flagsOf(other).long);
  return {
    long,
    short: short ?? null,
    value: placeholder ?? null,
    values: wordsOffered(option),
    schema: typedSchema(option),
    needs: option.needs ?? [],
    excludes: [...(option.excludes ?? []), ...excludedBy],
    repeatable: option.repeatable === true,
    about: aboutOf(option),
  };
}

/** The words that are allowed; null where anything may stand. */
function wordsOffered(one: Pick<OptionDeclaration, 'takes' | 'schema'>): readonly string[] | null {
  const offered = offeredFor(one);
  return offered?.kind === 'words' && offered.othersToo !== true ? offered.words : null;
}

function errorsOf(exitCode: number): string[] {
  return Object.entries(EXIT_OF).flatMap(([name, code]) => (code === exitCode ? [name] : []));
}

/** The schema of the document that --json prints, and of a line of --ndjson; null where there is no such form. */
async function outputOf(command: CommandDeclaration) {
  const { ways = [], otherForms = [] } = command;
  const [usual, ...others] = await Promise.all(ways.map((way) => formOf(way, command)));
  const special = otherForms.map(async ({ options, fields }) => {
    const schema = fieldsSchema(await fields());
    return { options, json: schema, ndjson: schema };
  });
  const forms = [...others, ...(await Promise.all(special))];
  return { ...(usual ?? { json: null, ndjson: null }), ...(forms.length === 0 ? {} : { other_forms: forms }) };
}

async function formOf(way: Way, command: CommandDeclaration) {
  const { answer, shape, head } = way;
  const options = askedBy(way, command);
  const asked = options === undefined ? {} : { options };
  const fields = await way.fields?.();
  if (fields === undefined) return { ...asked, json: null, ndjson: null };
  const one = answer === undefined ? fieldsSchema(fields) : resourceSchema(answer);
  if (shape === 'list') return { ...asked, json: listSchema(one, (await head?.()) ?? []), ndjson: one };
  const json: JsonSchema = shape === 'one or several' ? { anyOf: [one, { type: 'array', items: one }] } : one;
  return { ...asked, json: shape === 'lines' ? null : json, ndjson: lineSchema(one) };
}

const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'exit_code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(EXIT_OF) },
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
