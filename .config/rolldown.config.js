import { defineConfig } from 'rolldown';
import { thirdPartyLicenses } from './third-party-licenses.js';
import { withoutHttp2 } from './without-http2.js';

const root = new URL('..', import.meta.url).pathname;

/**
 * Which file of the bundle a module goes into; null leaves it to the bundler. Without this every module that two
 * commands share becomes a file of its own, and opening forty small files costs more than reading three larger ones.
 */
function fileOf(id) {
  // What talks to the service. A command on a local history never loads it, nor does help.
  if (/src\/(connection|api\/(?!limits|time)|account\/|commands\/(plan|details|next-command))/.test(id))
    return 'online';
  if (/absent:|node_modules\/(undici\/(?!.*proxy)|valibot\/)/.test(id)) return 'online';
  // What draws tables: json, ndjson and csv never load it.
  if (/src\/output\/(table\/|formats\/table|generic-cells)|node_modules\/(cli-table3|string-width|chalk)\//.test(id)) {
    return 'table';
  }
  // What every command uses, help included.
  if (
    /src\/(cli|session|api\/(limits|time)|output\/(?!formats\/csv|views\/(history|export))|commands\/(flags|during))|node_modules\/commander\//.test(
      id,
    )
  ) {
    return 'common';
  }
  return null;
}

// Everything a command needs is bundled, split where the source says `await import(…)`, so that a command loads only
// its own part; the package then has no dependencies to install.
export default defineConfig({
  cwd: root,
  input: { main: 'src/main.ts' },
  platform: 'node',
  tsconfig: false,
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'rooms', name: fileOf }] },
  },
  plugins: [withoutHttp2(), thirdPartyLicenses(root)],
});
