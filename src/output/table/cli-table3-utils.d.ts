declare module 'cli-table3/src/utils.js' {
  /** How many terminal columns cli-table3 counts for a text. (This inner module has no types of its own.) */
  export function strlen(text: string): number;
}
