import { Chalk } from 'chalk';
import type { Styles } from '../types.ts';

// Whether there is colour was decided before this file is loaded; chalk must not decide again. Level 1: the 16 colours,
// which follow the user's own palette.
const chalk = new Chalk({ level: 1 });

export const colourStyles: Styles = {
  good: (text) => chalk.green(text),
  bad: (text) => chalk.red(text),
  warn: (text) => chalk.yellow(text),
  dim: (text) => chalk.dim(text),
  bold: (text) => chalk.bold(text),
};
