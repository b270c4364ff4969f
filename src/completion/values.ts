import type { Seen } from './seen.ts';

/** The shells that `screener completion` knows. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** What is offered where an option or a command takes a value. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Field names of the command, comma-separated. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'file' }
  /** What the last answers contained. */
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  /** Anything: nothing is offered. */
  | { readonly kind: 'free' };
