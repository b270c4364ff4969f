import { defineConfig } from 'rolldown';
import { thirdPartyLicenses } from './third-party-licenses.js';
import { withoutHttp2 } from './without-http2.js';

const root = new URL('..', import.meta.url).pathname;

// Everything a command needs is bundled, split where the source says `await import(…)`, so that a command loads only
// its own part; the package then has no dependencies to install.
export default defineConfig({
  cwd: root,
  input: { main: 'src/main.ts' },
  platform: 'node',
  tsconfig: false,
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      // Without groups every module that two commands share becomes a file of its own, and opening forty small files
      // costs more than reading two larger ones.
      includeDependenciesRecursively: false,
      groups: [
        // What talks to the service: loaded when a command connects, so not by one that reads a local history.
        {
          name: 'online',
          test: /src\/(connection|api\/|account\/)|node_modules\/(undici\/(?!.*proxy)|valibot\/)/,
          priority: 2,
        },
        // What every command uses, whatever its format.
        {
          name: 'common',
          test: /src\/(session|invocation|cli\/read-globals|commands\/(flags|during|plan|details)|output\/(notes|output|spent|fields|paths|plain|safe-text|terminal|format|spinner|key-value-page|views|formats\/(ndjson|json|writer)))/,
          priority: 1,
        },
      ],
    },
  },
  plugins: [withoutHttp2(), thirdPartyLicenses(root)],
});
