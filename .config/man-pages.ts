/** Declarations and topics as manual pages. `npm pack` makes them. */

import { aboutOf, EXITS, fieldsText, usage } from '../src/cli/help.ts';
import { screener } from '../src/cli/screener.ts';
import { topicText } from '../src/cli/topics.ts';
import { commandOf, everyPath, type Path, wordsOf } from '../src/commands/parts/declaration.ts';
import {
  GLOBAL_OPTIONS,
  HELP_OPTION,
  VERSION_OPTION,
} from '../src/commands/parts/global-options.ts';
import { wrap } from '../src/output/table/measure.ts';
import { version } from '../src/version.ts';

const ALL = everyPath([screener]);

/** @param date of the version, `2026-11-30` @returns texts by file name: `screener-signals-ls.1` */
export async function manPages(date: string): Promise<Map<string, string>> {
  const pages = ALL.map(async (path) => [`${nameOf(path)}.1`, await manPage(path, date)] as const);
  return new Map(await Promise.all(pages));
}

function nameOf(path: Path): string {
  return wordsOf(path).replaceAll(' ', '-');
}

async function manPage(path: Path, date: string): Promise<string> {
  const {
    description,
    about,
    cost,
    argument,
    options = [],
    commands = [],
    examples,
    variants = [],
  } = commandOf(path);
  const given = argument === undefined ? [] : [[argument.term, argument.about] as const];
  const topics = path.length === 1 ? ['formats', 'environment', 'credits'] : [];
  return [
    `.TH ${nameOf(path).toUpperCase()} 1 ${date} "screener ${version}" "User Commands"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(nameOf(path))} \\-`,
    filled(description),
    '.SH SYNOPSIS',
    escaped(usage(path)),
    '.SH DESCRIPTION',
    ...[`${description}.`, about, `Cost: ${cost}.`]
      .filter((text) => text !== undefined)
      .flatMap(paragraph)
      .slice(1),
    ...terms(
      'COMMANDS',
      commands.map((sub) => [sub.name, sub.description]),
    ),
    ...terms('OPTIONS', [...given, ...options.map(optionTerm)]),
    ...(given.length + options.length === 0
      ? ['.SH OPTIONS']
      : paragraph('Every command has also these:')),
    ...terms('', [...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION].map(optionTerm)),
    ...terms('EXAMPLES', examples),
    ...(variants.length > 0 ? lines('FIELDS', await fieldsText(path)) : []),
    ...topics.flatMap((name) => lines(name, topicText(name, screener) ?? '')),
    ...terms('EXIT STATUS', Object.entries(EXITS)),
    '.SH SEE ALSO',
    ALL.map((each) => `${escaped(nameOf(each))}(1)`).join(',\n'),
    '',
  ].join('\n');
}

const optionTerm = (option: Parameters<typeof aboutOf>[0]) =>
  [option.flags, aboutOf(option)] as const;

const paragraph = (text: string) => ['.PP', filled(text)];

/** mandoc asks for lines of 80 bytes, and escapes add to them. */
const filled = (text: string) => escaped(wrap(text, { width: 64 }).join('\n'));

function terms(title: string, all: readonly (readonly [term: string, about: string])[]): string[] {
  const shown = all.flatMap(([term, about]) => [
    '.TP',
    `.B "${escaped(term).replaceAll('"', '\\(dq')}"`,
    filled(about),
  ]);
  return title === '' || all.length === 0 ? shown : [`.SH ${title}`, ...shown];
}

/** Lines as they are, without the title that they may begin with; without an indentation, 80 columns fit. */
function lines(title: string, text: string): string[] {
  const shown = text.replace(new RegExp(`^${title}\n\n`, 'i'), '').trimEnd();
  return [`.SH ${title.toUpperCase()}`, '.in 0', '.nf', escaped(shown), '.fi'];
}

function escaped(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
