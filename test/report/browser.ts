import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);

/** Whether there is no browser to look with; never in CI. */
export function lacksBrowser(): boolean {
  if (CHROMIUM !== undefined) return false;
  if (process.env.CI === 'true') throw new Error('Chromium is not installed.');
  process.stderr.write('Skipped: the report in a browser, for want of Chromium.\n');
  return true;
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
}

interface Opened {
  readonly page: Page;
  /** What the page asked for besides itself, and what it wrote to the console. */
  readonly requests: string[];
  readonly messages: string[];
}

/** Opens a report with the network cut, shows it to `see`, and closes it. */
export async function look<T>(
  browser: Browser,
  file: string,
  { width, scheme = 'light' }: { width: number; scheme?: 'light' | 'dark' },
  see: (opened: Opened) => Promise<T>,
): Promise<T> {
  // axe is put into the page by the test, which the page's own policy forbids.
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP: true });
  const page = await context.newPage();
  const requests: string[] = [];
  const messages: string[] = [];
  const own = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url() !== own) requests.push(request.url());
  });
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  await context.setOffline(true);
  await page.goto(own);
  await page.evaluate(readFileSync(fileURLToPath(new URL('in-page.js', import.meta.url)), 'utf8'));
  try {
    return await see({ page, requests, messages });
  } finally {
    await context.close();
  }
}

/** axe-core's findings of consequence, a line each. @param rules all of them where none is named */
export async function axeFindings(page: Page, ...rules: string[]): Promise<string[]> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(rules.length === 0 ? {} : { runOnly: rules })})`,
  )) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
