/** The texts of `screener help` as manual pages. Not part of the program: `npm pack` makes them. */
import { commandOf, everyPath, type Path, wordsOf } from '../commands/parts/declaration.ts';
import { version } from '../version.ts';
import { helpText } from './help.ts';
import { fieldsText } from './help-fields.ts';
import { screener } from './screener.ts';
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
  const { description, variants = [] } = commandOf(path);
  const topics = ['options', 'exit-codes', ...(path.length === 1 ? ['formats', 'environment', 'credits'] : [])];
  return [
    `.TH ${nameOf(path).toUpperCase()} 1 "" "screener ${version}" "User Commands"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(nameOf(path))} \\- ${escaped(description)}`,
    ...section('DESCRIPTION', helpText(path)),
    ...(variants.length > 0 ? section('FIELDS', await fieldsText(path)) : []),
    ...topics.flatMap((name) => section(name.replace('-', ' '), topicText(name, screener) ?? '')),
    '.SH SEE ALSO',
    everyPath([screener])
      .map((each) => `${escaped(nameOf(each))}(1)`)
      .join(',\n'),
    '',
  ].join('\n');
}

/** Lines as they are, without the title that they may begin with; without an indentation, 80 columns fit. */
function section(title: string, text: string): string[] {
  const lines = text.replace(new RegExp(`^${title}\n\n`, 'i'), '').trimEnd();
  return [`.SH ${title.toUpperCase()}`, '.in 0', '.nf', escaped(lines), '.fi'];
}

function escaped(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
