/**
 * Checks that a release is told the same way everywhere: `node .ci/check-release.js v1.2.3`. Without a tag only what is
 * in the repository is compared. Prints what is wrong, and exits with 1 then.
 */
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const [tag] = process.argv.slice(2);
const { version, repository } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
const changelog = read('CHANGELOG.md');

const wrong = [];
const locked = [lock.version, lock.packages[''].version];
if (locked.some((other) => other !== version)) {
  wrong.push(`package.json says ${version}, package-lock.json ${locked.join(' and ')}. Run \`npm install\`.`);
}
const [, latest, date] = /^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)$/m.exec(changelog) ?? [];
if (latest !== version) {
  wrong.push(`package.json says ${version}, the newest dated section of CHANGELOG.md is ${latest ?? 'missing'}.`);
}
if (date !== undefined && Number.isNaN(Date.parse(date))) wrong.push(`CHANGELOG.md: ${date} is no date.`);
if (tag !== undefined) {
  if (tag !== `v${version}`) wrong.push(`The tag is ${tag}, package.json says ${version}.`);
  if (repository === undefined) {
    wrong.push('package.json names no repository: npm could not prove where the package was built.');
  }
  const [, unreleased = ''] = /^## \[Unreleased\]\n([\s\S]*?)^## \[/m.exec(changelog) ?? [];
  if (/^- /m.test(unreleased)) wrong.push('CHANGELOG.md still has entries under Unreleased.');
}
for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
