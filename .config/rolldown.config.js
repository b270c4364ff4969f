import { defineConfig } from 'rolldown';
import { thirdPartyLicenses } from './third-party-licenses.js';

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
  },
  plugins: [thirdPartyLicenses(root)],
});
