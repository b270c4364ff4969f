import type { Styles } from './types.ts';

const same = (text: string): string => text;

/** No colour. */
export const plainStyles: Styles = { good: same, bad: same, warn: same, dim: same, bold: same };
