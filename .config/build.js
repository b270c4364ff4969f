// Builds dist/ and prints nothing unless it fails: the bundler's own command lists a size for each of 80 files, above the
// first answer of whoever runs `npm ci`.
import { build } from 'rolldown';
import config from './rolldown.config.js';

await build(config);
