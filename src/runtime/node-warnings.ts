/** From now on Node's warnings are not shown: standard error is for the program's own lines, one of which may be JSON. */
export function muteNodeWarnings(): void {
  process.removeAllListeners('warning');
}
