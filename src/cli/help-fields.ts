import { commandOf, commandWords, everyPath, type Path, whenInWords, wordsOf } from '../commands/parts/declaration.ts';
import { columns, paragraph } from './wrap.ts';

/** `screener help fields COMMAND`: what --fields chooses among, in every form of the command's output; each field once. */
export async function fieldsText(path: Path): Promise<string> {
  const command = commandOf(path);
  const { variants = [], specialOutputs = [], output } = command;
  const forms = [
    ...variants.flatMap((one) => {
      const asked = whenInWords(one, command);
      return [{ asked, fields: one.fields }, ...(one.rows ? [{ asked: '--csv', fields: one.rows }] : [])];
    }),
    ...specialOutputs.map(({ options, fields }) => ({ asked: `${options} (always whole)`, fields })),
  ];
  const told = new Set<string>();
  const sections: string[] = [];
  for (const { asked, fields } of forms) {
    const all = (await fields()).map(({ name, about }): [string, string] => [name, about]);
    const added = all.filter((row) => !told.has(row.join()));
    for (const row of added) told.add(row.join());
    const again = all.length - added.length;
    const title = asked === undefined ? wordsOf(path) : `${wordsOf(path)}, ${asked}`;
    const above = again === 0 ? [] : [`  and ${again} of those above`];
    sections.push([`Fields of ${title}`, '', ...columns(added), ...above].join('\n'));
  }
  if (output !== undefined) sections.push(paragraph(output));
  return `${sections.join('\n\n')}\n`;
}

export function fieldsTopic(root: Path): string {
  const withFields = everyPath(root).filter((path) => commandOf(path).variants !== undefined);
  return `Fields

${paragraph(
  'Each command prints an object, or a list of them. --fields id,outcome.move_1h_pct keeps only these fields, in every ' +
    'format; a dot leads into an object. They are the names of JSON keys and the columns of CSV, and --sort takes them.',
)}

  screener help fields COMMAND

${paragraph(`lists them with their units. COMMAND: ${withFields.map(commandWords).join(', ')}.`)}
`;
}
