/**
 * Modules that a library loads at its start for features this program does not have, and what it gets instead. Each
 * costs every command some milliseconds.
 * @type {[module: RegExp, text: string][]}
 */
const UNUSED = [
  // undici's HTTP/2 client: off by default.
  [/\/client-h2\.js$/, "module.exports = () => { throw new Error('This build does not use HTTP/2.') }"],
  // undici's bodies of requests: a GET has none. They bring fetch's FormData and WebIDL.
  [/\/web\/fetch\/body\.js$/, "throw new Error('This build sends no bodies.')"],
  // undici knows by it the streams of Node's own client, which is not used, and Node's usual limit of headers, 16 KiB.
  [/^node:http$/, 'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 }'],
  // undici's checks of itself, all of the form `assert(…)`: they need not say what differed.
  [/^node:assert$/, "module.exports = (truth, text = 'assertion failed') => { if (!truth) throw new Error(text) }"],
  // commander starts subcommands that are programs of their own with it; here none is.
  [/^node:child_process$/, 'module.exports = {}'],
];

/** Bundles those libraries for a Node without these modules. */
export function withoutUnusedModules() {
  const prefix = '\0unused:';
  return {
    name: 'without-unused-modules',
    // The program's own modules get what they ask for.
    resolveId: (source, importer) => {
      if (!importer?.includes('node_modules')) return null;
      const at = UNUSED.findIndex(([module]) => module.test(source));
      return at < 0 ? null : prefix + at;
    },
    load: (id) => (id.startsWith(prefix) ? UNUSED[Number(id.slice(prefix.length))][1] : null),
  };
}

/** cli-table3 shortens a cell's whole text for its debug output, which is off, whenever it draws a line of it. */
const DEBUG_TEXT = 'utils.truncate(this.content, 10, this.truncate)';

/** Leaves that out: a table takes half the time, and a tall cell is not drawn in quadratic time. */
export function withoutDebugTexts() {
  return {
    name: 'without-debug-texts',
    transform: (code, id) => {
      if (!id.endsWith('/cli-table3/src/cell.js')) return null;
      if (!code.includes(DEBUG_TEXT)) throw new Error('cli-table3 has changed: see without-unused-modules.js');
      return code.replace(DEBUG_TEXT, "''");
    },
  };
}
