import { type CommandDeclaration, commandOf, namesOf, type Path } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import { flagsOf, type OptionDeclaration, offeredFor } from '../commands/option.ts';
import type { CommandModel, OptionModel } from '../completion/model.ts';
import { aboutOf } from './help.ts';
import { topicNames } from './topics.ts';

/** The tree of commands as the completion scripts need it: the program first, with the global options as its own. */
export async function catalogueOf(root: CommandDeclaration): Promise<CommandModel> {
  const program = await commandModel([root]);
  return {
    ...program,
    commands: program.commands.map((command) => (command.path[0] === 'help' ? withTopics(command, program) : command)),
  };
}

async function commandModel(path: Path): Promise<CommandModel> {
  const command = commandOf(path);
  const { description, argument, commands = [] } = command;
  const values = offeredFor(argument ?? {});
  const options = path.length === 1 ? [...GLOBAL_OPTIONS, VERSION_OPTION] : (command.options ?? []);
  return {
    path: path.slice(1).map((above) => above.name),
    names: namesOf(command),
    about: description,
    options: [...options, HELP_OPTION].map(optionModel),
    commands: await Promise.all(commands.map((sub) => commandModel([...path, sub]))),
    ...(values === undefined ? {} : { values }),
    fields: await fieldsOf(command),
  };
}

function optionModel(option: OptionDeclaration): OptionModel {
  const { short, long } = flagsOf(option);
  const values = offeredFor(option);
  return {
    flags: short === undefined ? [long] : [short, long],
    about: aboutOf(option),
    ...(values === undefined ? {} : { values }),
    repeatable: option.repeatable === true,
  };
}

async function fieldsOf({ fields, otherForms = [] }: CommandDeclaration) {
  const chosen = otherForms.filter(({ isWhole }) => !isWhole);
  const all = [...((await fields?.()) ?? []), ...(await Promise.all(chosen.map((form) => form.fields()))).flat()];
  return [...new Map(all.map((field) => [field.name, field])).values()];
}

/** `help` takes the words of any command, or a topic: for completion these are commands below it. */
function withTopics(help: CommandModel, root: CommandModel): CommandModel {
  const under = (command: CommandModel): CommandModel => ({
    ...NOTHING_MORE,
    path: [...help.path, ...command.path],
    names: command.names,
    about: command.about,
    commands: command.commands.map(under),
  });
  const topics = topicNames.map((name) => ({
    ...NOTHING_MORE,
    path: [...help.path, name],
    names: [name],
    about: 'Topic',
    commands: [],
  }));
  return { ...help, commands: [...root.commands.map(under), ...topics] };
}

const NOTHING_MORE = { options: [], fields: [] } as const;
