import { readFileSync } from 'node:fs';

/** README.md's own text. */
export const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the README, counted from 1. */
  readonly line: number;
  /** The words of the comment directly above: `run`, `run: on terminal`, `not run: …`, `output`, `printed by: …`; empty without one. */
  readonly marker: string;
  /** The text of the block marked as output that follows. */
  readonly output: string | undefined;
}

/** Every fenced block of a Markdown text, those marked as output with the block before them. */
export function blocksOf(markdown: string): Block[] {
  const all = [...markdown.matchAll(/^(?:<!-- (.*) -->\n)?```(.*)\n([\s\S]*?)\n```$/gm)].map(
    ({ index, 1: marker = '', 2: language = '', 3: text = '' }) => {
      return { marker, language, text, line: markdown.slice(0, index).split('\n').length };
    },
  );
  return all.flatMap((block, i) => {
    const next = all[i + 1];
    return block.marker === 'output'
      ? []
      : [{ ...block, output: next?.marker === 'output' ? next.text : undefined }];
  });
}

export const isRun = ({ marker }: Block) => /^run(: on terminal)?$/.test(marker);

/** The command whose output a block shows, for a block that is marked so. */
export function printingCommandOf({ marker }: Block): string | undefined {
  return /^printed by: (.+)$/.exec(marker)?.[1];
}

/** On a pseudo-terminal of 80 columns. */
export const isOnTerminal = ({ marker }: Block) => marker.endsWith('on terminal');

/** The command lines of a crontab, those it offers in a comment too. */
export function cronCommands(crontab: string): string[] {
  return crontab
    .split('\n')
    .flatMap((line) => /^(?:# )?[\d*](?:\S*\s+){5}(\S.*)$/.exec(line)?.[1] ?? []);
}
