import type { Seen } from './seen.ts';

/** In completions/; for bash 3.2 (macOS) and fish 3 or later. At a TAB they ask the program: `screener complete`. */
export const SCRIPTS = {
  bash: 'screener.bash',
  zsh: '_screener',
  fish: 'screener.fish',
  powershell: 'screener.ps1',
} as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Field names of the command, comma-separated. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'file' }
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  | { readonly kind: 'free' };
