import { readFileSync } from 'node:fs';

/** README.md's own text. */
export const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** How a block is to be run, as the comment above it says. */
export interface Run {
  /** On a pseudo-terminal of 80 columns. */
  readonly terminal: boolean;
}

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the README, counted from 1. */
  readonly line: number;
  /** The words of the comment directly above: `run`, `run: on terminal`, `not run: …`, `output`; empty without one. */
  readonly marker: string;
  /** The text of the block marked as output that follows. */
  readonly output: string | undefined;
}

const SHELLS = ['sh', 'bash', 'shell', 'zsh', 'fish', 'console', 'crontab'];

export function isShell({ language }: Block): boolean {
  return SHELLS.includes(language);
}

/** Every fenced block of a Markdown text, those marked as output with the block before them. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let start: number | undefined;
  lines.forEach((line, index) => {
    if (!line.startsWith('```')) return;
    if (start === undefined) {
      start = index;
      return;
    }
    const marker = /^<!-- (.*) -->$/.exec(lines[start - 1] ?? '')?.[1] ?? '';
    const text = lines.slice(start + 1, index).join('\n');
    const last = blocks.at(-1);
    if (marker === 'output' && last !== undefined) blocks[blocks.length - 1] = { ...last, output: text };
    else blocks.push({ language: lines[start]?.slice(3) ?? '', text, line: start + 1, marker, output: undefined });
    start = undefined;
  });
  return blocks;
}

/** @returns undefined for a marker that says `not run:` with a reason, or that cannot be read */
export function runOf({ marker }: Block): Run | undefined {
  const match = /^run(: on terminal)?$/.exec(marker);
  return match === null ? undefined : { terminal: match[1] !== undefined };
}

export function isExcused({ marker }: Block): boolean {
  return /^not run: \S/.test(marker);
}

/** The command lines of a crontab, those it offers in a comment too. */
export function cronCommands(crontab: string): string[] {
  return crontab.split('\n').flatMap((line) => /^(?:# )?[\d*](?:\S*\s+){5}(\S.*)$/.exec(line)?.[1] ?? []);
}
