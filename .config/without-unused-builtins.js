/**
 * Built-in modules that a library loads at its start for features this program does not have. Each costs every command
 * some milliseconds.
 */
const UNUSED = {
  // undici's HTTP/2 client (off by default). It provides for a Node without HTTP/2, and notices by this error. 5 ms.
  'node:http2': "throw new Error('This build does not use HTTP/2.')",
  // commander starts subcommands that are programs of their own with it; here none is. 4 ms.
  'node:child_process': 'export default {}',
};

/** Bundles those libraries for a Node without these modules. */
export function withoutUnusedBuiltins() {
  const prefix = '\0unused:';
  return {
    name: 'without-unused-builtins',
    // The program's own modules get what they ask for.
    resolveId: (source, importer) =>
      Object.hasOwn(UNUSED, source) && importer?.includes('node_modules') ? prefix + source : null,
    load: (id) => (id.startsWith(prefix) ? UNUSED[id.slice(prefix.length)] : null),
  };
}
