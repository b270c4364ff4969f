import { matching } from './matching.js';

/** What libraries load at every start and this program never uses, with what stands in its place. */
const UNUSED = [
  // HTTP/2, which is off and loads `node:http2`, and the bodies of requests: a GET has none.
  [
    'undici',
    /\/undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/,
    () => 'module.exports = undefined;',
  ],
  // `node:http`, for the class of its requests and its limit of headers.
  [
    'node:http in undici',
    /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/,
    (code) => code.replace("require('node:http')", '{ maxHeaderSize: 16_384 }'),
  ],
  // A look at the terminal: `usesColor` decides, and loads no `node:tty`.
  ['chalk', /\/chalk\/source\/vendor\/supports-color\/index\.js$/, () => 'export default {};'],
  // Validation and migrations of settings: ours have no schema, and one version.
  [
    'conf',
    /\/(ajv\/dist\/2020|ajv-formats\/dist\/index|semver\/index)\.js$/,
    () => 'module.exports = {};',
  ],
  // Spinners that nobody chooses.
  [
    'ora',
    /\/cli-spinners\/spinners\.json$/,
    (code) => JSON.stringify({ dots: JSON.parse(code).dots, line: JSON.parse(code).line }),
  ],
  // Subcommands that are programs of their own: ours are none.
  [
    'commander',
    /\/commander\/lib\/command\.js$/,
    (code) => code.replace("require('node:child_process')", 'undefined'),
  ],
].map(([name, pattern, replace]) => ({
  name,
  isPart: matching(`unused parts of ${name}`, pattern),
  replace,
}));

/** Leaves it out: 12 ms of every command that sends something, and 70 kB of the package. A part that has changed its text fails the build. */
export function withoutUnusedParts() {
  return {
    name: 'without-unused-parts',
    transform(code, id) {
      const part = UNUSED.find(({ isPart }) => isPart(id));
      if (part === undefined) return null;
      const rest = part.replace(code);
      if (rest === code) throw new Error(`${part.name} has changed: see without-unused-parts.js`);
      return rest;
    },
  };
}
