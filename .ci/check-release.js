/**
 * Checks that a release is told the same way everywhere: `node .ci/check-release.js v1.2.3`. Without a tag only what is
 * in the repository is compared. Prints what is wrong, and exits with 1 then.
 */
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const [tag] = process.argv.slice(2);
const manifest = JSON.parse(read('package.json'));
const { name, version } = manifest;
const lock = JSON.parse(read('package-lock.json'));
const changelog = read('CHANGELOG.md');

/** The package's name in the registry. The plain one, `screener`, belongs to somebody else. */
const OURS = 'signal-screener';

const wrong = [];
if (name !== OURS)
  wrong.push(
    `package.json names the package ${name}: ours is ${OURS}, and only it may be published.`,
  );
const locked = [lock.version, lock.packages[''].version];
if (locked.some((other) => other !== version)) {
  wrong.push(
    `package.json says ${version}, package-lock.json ${locked.join(' and ')}. Run \`npm install\`.`,
  );
}
const [, latest, date] = /^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)$/m.exec(changelog) ?? [];
if (latest !== version) {
  wrong.push(
    `package.json says ${version}, the newest dated section of CHANGELOG.md is ${latest ?? 'missing'}.`,
  );
}
if (date !== undefined && Number.isNaN(Date.parse(date)))
  wrong.push(`CHANGELOG.md: ${date} is no date.`);
if (!read('README.md').includes(`/signal-screener-${version}.tgz`))
  wrong.push(`README.md installs another than ${version}.`);
if (tag !== undefined) {
  if (tag !== `v${version}`) wrong.push(`The tag is ${tag}, package.json says ${version}.`);
  const unset = ['repository', 'bugs', 'homepage'].filter((field) => !manifest[field]);
  if (unset.length > 0) {
    wrong.push(
      `package.json lacks ${unset.join(', ')}: npm could not prove where it was built, nor users report.`,
    );
  }
  const [, unreleased = ''] = /^## \[Unreleased\]\n([\s\S]*?)^## \[/m.exec(changelog) ?? [];
  if (/^- /m.test(unreleased)) wrong.push('CHANGELOG.md still has entries under Unreleased.');
}
for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
