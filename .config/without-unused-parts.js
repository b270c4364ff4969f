import { matching } from './matching.js';

/**
 * Modules of libraries that are loaded at every start and that this program never uses. They are left out whole; no
 * text of a library is changed.
 */
const UNUSED = [
  // HTTP/2, which is off, and the bodies of requests, which a GET does not have. Both load `node:http2`: 4 ms of CPU of
  // every request on Node 20, 10 to 15 ms on 22, 24 and 26.
  {
    name: 'undici',
    pattern: /\/undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/,
    text: 'module.exports = undefined;',
  },
  // A look at the terminal, which `usesColor` decides. It loads `node:tty`: 3 ms of CPU of every local command.
  {
    name: 'chalk',
    pattern: /\/chalk\/source\/vendor\/supports-color\/index\.js$/,
    text: 'export default {};',
  },
  // Validation and migrations of settings: ours have no schema, and there is one version of them. 23 ms of `login`.
  {
    name: 'conf',
    pattern: /\/(ajv\/dist\/2020|ajv-formats\/dist\/index|semver\/index)\.js$/,
    text: 'module.exports = {};',
  },
].map(({ name, pattern, text }) => ({
  isPart: matching(`unused parts of ${name}`, pattern),
  text,
}));

export function withoutUnusedParts() {
  return {
    name: 'without-unused-parts',
    transform(_code, id) {
      const part = UNUSED.find(({ isPart }) => isPart(id));
      return part === undefined ? null : part.text;
    },
  };
}
