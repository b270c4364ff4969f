/** Cells of fields asked for by name: values as the API gives them, made safe. */
import { isoTime, NONE } from './format.ts';
import { escapeJson, safeText } from './safe-text.ts';
import type { Field, RenderContext } from './types.ts';

/** Times become `2026-11-20 18:05:00`; everything else stays exact, because the user asked for this very field. */
export function kindCell(
  view: { fields: readonly Field[] },
  name: string,
  value: unknown,
  look: RenderContext,
): string {
  if (value === null || value === undefined) return look.styles.dim(NONE);
  const kind = view.fields.find((field) => field.name === name)?.kind;
  if (kind === 'time' && typeof value === 'string') return isoTime(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    return value.map(safeText).join(', ');
  }
  return typeof value === 'object' ? escapeJson(JSON.stringify(value)) : safeText(value);
}
