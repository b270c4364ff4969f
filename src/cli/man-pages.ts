/**
 * The manual pages in `man/`, one for the program and one for each command, made from the declarations. Not part of the
 * program: `npm run generated` writes the files, and a test holds them against this.
 */
import { version } from '../version.ts';
import { commandOf, everyPath, type OptionDeclaration, type Path, wordsOf } from './declaration.ts';
import { screener } from './declarations/screener.ts';
import { EXITS } from './exits.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from './global-options.ts';
import { exitCodesOf, usage } from './help.ts';
import { topicText } from './topics.ts';

/** Texts by file name: `screener-signals-ls.1`. */
export async function manPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const path of everyPath([screener])) pages.set(`${nameOf(path)}.1`, await manPage(path));
  return pages;
}

function nameOf(path: Path): string {
  return wordsOf(path).replaceAll(' ', '-');
}

async function manPage(path: Path): Promise<string> {
  const { description, about, cost, examples, output, argument, options = [], exits, ...command } = commandOf(path);
  const isRoot = path.length === 1;
  const fields = (await command.fields?.()) ?? [];
  const globals = [...GLOBAL_OPTIONS, VERSION_OPTION];
  return [
    `.TH ${nameOf(path).toUpperCase()} 1 "" "screener ${version}" "User Commands"`,
    ...section('NAME', [`${text(nameOf(path))} \\- ${text(description)}`]),
    ...section('SYNOPSIS', [`.B ${text(usage(path))}`]),
    ...section('DESCRIPTION', [text(`${description}.`), ...(about === undefined ? [] : ['.PP', text(about)])]),
    ...section('COST', [text(cost)]),
    ...section(
      'COMMANDS',
      (command.commands ?? []).flatMap((sub) => item(sub.name, sub.description)),
    ),
    ...section('ARGUMENTS', argument === undefined ? [] : item(argument.term, argument.about)),
    ...section('OPTIONS', isRoot ? [] : [...options, HELP_OPTION].flatMap(option)),
    ...section('GLOBAL OPTIONS', (isRoot ? [...globals, HELP_OPTION] : globals).flatMap(option)),
    ...section('OUTPUT FIELDS', [
      ...fields.flatMap(({ name, about: what }) => item(name, what)),
      ...(output === undefined ? [] : ['.PP', text(output)]),
    ]),
    ...section(
      'EXIT STATUS',
      EXITS.filter(({ code }) => exitCodesOf(exits).includes(code)).flatMap(({ code, long }) => item(`${code}`, long)),
    ),
    ...section(
      'EXAMPLES',
      examples.flatMap(([line, remark]) => item(line, remark)),
    ),
    ...(isRoot ? ['formats', 'environment', 'credits'].flatMap(topic) : []),
    ...section('SEE ALSO', [seeAlso(path)]),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

function item(term: string, about: string): string[] {
  return ['.TP', `.B ${text(term)}`, text(about)].filter((line) => line !== '');
}

function option({ flags, about }: OptionDeclaration): string[] {
  return item(flags, about);
}

/** A topic as it stands in `screener help`: its lines are laid out by hand. */
function topic(name: string): string[] {
  const [title = '', ...lines] = (topicText(name, screener) ?? '').trimEnd().split('\n');
  return section(title.toUpperCase(), ['.nf', ...lines.slice(1).map(text), '.fi']);
}

/** The program's page names every other; theirs name the ones above them. */
function seeAlso(path: Path): string {
  const [root] = path;
  const above = path.slice(0, -1).map((_, index): Path => [root, ...path.slice(1, index + 1)]);
  const pages = path.length === 1 ? everyPath(path).slice(1) : above;
  return pages.map((each) => `.BR ${text(nameOf(each))} (1)`).join('\n');
}

/** Text as roff shows it unchanged. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
