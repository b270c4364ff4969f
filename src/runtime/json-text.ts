import { stringify } from 'lossless-json';

/** The JSON text of a value from the API, in which an integer that a number cannot hold is a bigint. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return stringify(value, undefined, indent) ?? '';
  }
}
