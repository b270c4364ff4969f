/**
 * An independent judge of answers. It goes by the table in `test/support/document.ts`, copied from the document by hand:
 * the program's own schemas are not asked.
 */
import { DOCUMENT, type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';

/** Whether a parsed value is what the document says of `name`. */
function matches(name: ResourceName, value: unknown): boolean {
  return (
    isObject(value) &&
    fieldsOf(name).every((field) => fits(field, Object.hasOwn(value, field.name) ? value[field.name] : undefined))
  );
}

function fits(field: DocumentedField, value: unknown): boolean {
  if (value === null) return field.nullable;
  const { type, least, most } = field;
  if (type.startsWith('[')) {
    const inner = { ...field, type: type.slice(1, -1), nullable: false };
    const limit = type === '[SignalCard]' ? 25 : Number.POSITIVE_INFINITY;
    return Array.isArray(value) && value.length <= limit && value.every((one) => fits(inner, one));
  }
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'time':
      return typeof value === 'string' && isTime(value);
    case 'integer':
      return (
        Number.isSafeInteger(value) && (value as number) >= (least ?? 0) && (value as number) <= (most ?? Infinity)
      );
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'object':
      return isObject(value);
    case 'numbers':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'bigint' || Number.isFinite(one));
    default:
      return type in DOCUMENT && matches(type as ResourceName, value);
  }
}

function isTime(text: string): boolean {
  const [, day = '', clock = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const at = new Date(`${day}T${clock}Z`);
  // A day that the month does not have is read as one of the next month.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a whole answer with status 200 is a success by the document: an Envelope with the resource. */
export function isSuccess(name: ResourceName, answer: unknown): boolean {
  if (!isObject(answer)) return false;
  const { hasError, errors, response } = answer;
  return hasError === false && (errors === null || typeof errors === 'string') && matches(name, response);
}
