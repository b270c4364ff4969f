import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { allMatched, matching } from './matching.js';
import { thirdPartyLicenses } from './third-party-licenses.js';
import { withoutUnusedParts } from './without-unused-parts.js';

const root = fileURLToPath(new URL('..', import.meta.url));

// Which modules share a file of the bundle, together with what they import, from the top down: a module goes into the
// first group that needs it. Left to itself the bundler gives every module that two commands share a file of its own,
// and opening forty small files costs more than reading a few larger ones.
const groups = [
  // What even --version needs, and a shell at a TAB.
  {
    name: 'core',
    test: /src\/(errors|version|completion\/seen|runtime\/(compile-cache|context|streams|clock|directories|stop-signal|engine))\./,
  },
  // The declarations of all commands, and what prints help: `--help` needs nothing else.
  {
    name: 'help',
    test: /src\/(cli\/(print-help|help|topics|screener)\.|commands\/(declarations\/|parts\/(declaration|option|values|card-options|global-options)\.))/,
  },
  // What cards are and how they are said: the API document as schemas, rows, safe text.
  {
    name: 'contract',
    test: /node_modules\/(valibot|lossless-json)|src\/(api\/contract|runtime\/json-text\.|outcomes\/row\.|history\/store\/layout\.|output\/(described-fields|format|safe-text)\.)/,
  },
  // Cards as people see them; a command's help lists their fields.
  { name: 'cards', test: /src\/output\/(views\/(card-lists|card-page))\./ },
  // What every command uses, commander first: a command line is parsed, unless it only asks for help.
  {
    name: 'common',
    test: /src\/(cli\/(program|session|read-options)\.|base\/|runtime\/(files|json-text)\.|api\/(limits|time)\.|config\/|commands\/parts\/(invocation|next-command)\.|output\/((notes|output|fields|spent|errors)\.|formats\/(ndjson|json)\.))/,
  },
  // What talks to the service: not loaded for a local history, nor for help.
  {
    name: 'online',
    test: /src\/(cli\/connection\.|api\/|credits\/|commands\/parts\/(plan|details|near-miss)\.)/,
  },
  // What draws tables: json, ndjson and csv do without.
  { name: 'table', test: /src\/output\/(table\/|formats\/table\.)/ },
];

// Everything a command needs is bundled, split where the source says `await import(…)`, so that a command loads only
// its own part; the package then has no dependencies to install.
export default defineConfig({
  cwd: root,
  input: { main: 'src/main.ts' },
  platform: 'node',
  tsconfig: false,
  resolve: {
    alias: { 'node:assert': `${root}.config/assert.cjs` },
  },
  output: {
    dir: 'dist',
    // Node starts CommonJS some 4 ms sooner than ES modules, and a built-in module that is required does not run all of
    // its getters (`node:crypto` would load WebCrypto). The sources are ES modules all the same.
    format: 'cjs',
    cleanDir: true,
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: {
      groups: groups.map(({ name, test }, index) => ({
        name,
        test: matching(name, test),
        priority: groups.length - index,
      })),
    },
  },
  plugins: [withoutUnusedParts(), thirdPartyLicenses(root), allMatched()],
});
