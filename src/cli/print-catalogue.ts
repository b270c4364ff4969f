import type { JsonSchema } from '@valibot/to-json-schema';
import { planView } from '../output/views/plan.ts';
import { version } from '../version.ts';
import {
  argumentOf,
  type CommandDeclaration,
  commandOf,
  everyPath,
  flagsOf,
  type Given,
  type OptionDeclaration,
  type OutputForm,
  type Path,
  wordsOf,
} from './declaration.ts';
import { EXITS } from './exits.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from './global-options.ts';
import { exitCodesOf } from './help.ts';
import { fieldsSchema, lineSchema, resourceSchema } from './schemas.ts';

/** `screener help --json`: what the program can do, for scripts and agents: made from the declarations. */
export async function printCatalogue({ context, root }: Given): Promise<void> {
  const paths = everyPath([root]).filter((path) => commandOf(path).act !== undefined);
  const catalogue = {
    name: root.name,
    version,
    description: `${root.description}.`,
    global_options: [...GLOBAL_OPTIONS, VERSION_OPTION, HELP_OPTION].map(optionOf),
    exit_codes: EXITS.map(({ code, long }) => ({ code, meaning: long })),
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
      argument === undefined ? [] : [{ ...argumentOf(argument), about: argument.about, values: valuesOf(argument) }],
    options: options.map(optionOf),
    examples: command.examples.map(([line, remark]) => ({ line, remark })),
    exit_codes: exitCodesOf(command.exits),
    ...(command.output === undefined ? {} : { output_note: command.output }),
    output: await outputOf(command),
  };
}

function optionOf(option: OptionDeclaration) {
  const { short, long, placeholder } = flagsOf(option);
  return {
    long,
    short: short ?? null,
    value: placeholder ?? null,
    values: valuesOf(option),
    repeatable: option.repeatable === true,
    about: option.about,
  };
}

/** The words that are allowed; null where anything may stand. */
function valuesOf({ takes }: Pick<OptionDeclaration, 'takes'>): readonly string[] | null {
  return takes?.kind === 'words' ? takes.words : null;
}

/** The schema of the document that --json prints, and of a line of --ndjson; null where there is no such form. */
async function outputOf(command: CommandDeclaration) {
  const fields = await command.fields?.();
  if (fields === undefined) return { json: null, ndjson: null };
  const { answer, shape = 'document' } = command;
  const one = answer === undefined ? fieldsSchema(fields) : resourceSchema(answer, fields);
  const json: JsonSchema = shape === 'one or several' ? { anyOf: [one, { type: 'array', items: one }] } : one;
  return {
    json: shape === 'lines' ? null : json,
    ndjson: lineSchema(one),
    ...(command.otherForms === undefined ? {} : { other_forms: await Promise.all(command.otherForms.map(formOf)) }),
  };
}

async function formOf({ options, fields, isList }: OutputForm) {
  const one = fieldsSchema(await fields());
  const page: JsonSchema = {
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: one } },
  };
  return { options, json: isList ? page : one, ndjson: one };
}

const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'exit_code', 'message'],
      properties: {
        code: { type: 'string' },
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
