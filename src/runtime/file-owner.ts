/** The user as whom the process opens and makes files; undefined on Windows, where files have no such number. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}
