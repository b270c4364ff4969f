import type { Paint } from './types.ts';

const same = (text: string): string => text;

/** No colour. */
export const plainPaint: Paint = { good: same, bad: same, warn: same, dim: same, bold: same };
