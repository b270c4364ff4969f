/**
 * The manual pages in `man/`, one for the program and one for each command, made from the declarations. Not part of the
 * program: `npm run generated` writes the files, and a test holds them against this.
 */

import { commandOf, everyPath, type Path, wordsOf } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import type { OptionDeclaration } from '../commands/option.ts';
import { version } from '../version.ts';
import { aboutOf, exitsOf, usage } from './help.ts';
import { screener } from './screener.ts';
import { topicText } from './topics.ts';
import { paragraph } from './wrap.ts';

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
  const command = commandOf(path);
  const { description, about, cost, examples, output, argument, options = [] } = command;
  const isRoot = path.length === 1;
  const fields = (await command.ways?.[0]?.fields?.()) ?? [];
  const globals = [...GLOBAL_OPTIONS, VERSION_OPTION];
  return [
    `.TH ${nameOf(path).toUpperCase()} 1 "" "screener ${version}" "User Commands"`,
    // Neither hyphens within names nor gaps between words.
    '.nh',
    '.ad l',
    ...section('NAME', [`${text(nameOf(path))} \\- ${text(description)}`]),
    ...section('SYNOPSIS', [`.B ${text(usage(path))}`]),
    ...section('DESCRIPTION', [...lines(`${description}.`), ...(about === undefined ? [] : ['.PP', ...lines(about)])]),
    ...section('COST', lines(cost)),
    ...section(
      'COMMANDS',
      (command.commands ?? []).flatMap((sub) => item(sub.name, sub.description)),
    ),
    ...section('ARGUMENTS', argument === undefined ? [] : item(argument.term, argument.about)),
    ...section('OPTIONS', isRoot ? [] : [...options, HELP_OPTION].flatMap(option)),
    ...section('GLOBAL OPTIONS', (isRoot ? [...globals, HELP_OPTION] : globals).flatMap(option)),
    ...section('OUTPUT FIELDS', [
      ...fields.flatMap(({ name, about: what }) => item(name, what)),
      ...(output === undefined ? [] : [...(fields.length === 0 ? [] : ['.PP']), ...lines(output)]),
    ]),
    ...section(
      'EXIT STATUS',
      exitsOf(command).flatMap(({ code, long }) => item(`${code}`, long)),
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
  return ['.TP', `.B ${text(term)}`, ...lines(about)];
}

function option(one: OptionDeclaration): string[] {
  return item(one.flags, aboutOf(one));
}

/**
 * A topic of `screener help` as sections: a line by itself between empty ones is a title, indented lines are terms with
 * their explanations, which may go on below, and all else is paragraphs.
 */
function topic(name: string): string[] {
  const out: string[] = [];
  let hasBody = false;
  for (const block of (topicText(name, screener) ?? '').trimEnd().split('\n\n')) {
    const title = /^[A-Z][\w ]+$/.exec(block)?.[0];
    if (title !== undefined) {
      out.push(`.SH ${title.toUpperCase()}`);
      hasBody = false;
      continue;
    }
    if (block.startsWith('  ')) out.push(...termsOf(block.split('\n')));
    else out.push(...(hasBody ? ['.PP'] : []), ...lines(block));
    hasBody = true;
  }
  return out;
}

function termsOf(rows: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const [, term = '', about = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(row) ?? [];
    if (term === '') return lines(row);
    return term.endsWith(':') ? ['.PP', ...lines(term)] : item(term, about);
  });
}

/** The program's page names every other; theirs name the ones above them. */
function seeAlso(path: Path): string {
  const [root] = path;
  const above = path.slice(0, -1).map((_, index): Path => [root, ...path.slice(1, index + 1)]);
  const pages = path.length === 1 ? everyPath(path).slice(1) : above;
  return pages.map((each) => `.BR ${text(nameOf(each))} (1)`).join('\n');
}

/** Sentences, broken where a line of the source would be long: roff fills them anew. */
function lines(words: string): string[] {
  return words.trim() === '' ? [] : paragraph(words.trim()).split('\n').map(text);
}

/** Text as roff shows it unchanged. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
