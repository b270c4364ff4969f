import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { without } from '../support/programs.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const [executablePath = ''] = spawnSync('which', NAMES, { encoding: 'utf8' }).stdout.split('\n');

/** Whether there is no browser to look with; never in CI. */
export const lacksBrowser = (): boolean => executablePath === '' && without('chromium');

export function openBrowser(): Promise<Browser> {
  // A browser needs no other date than the machine's, and does not start with one.
  const { LD_PRELOAD: _, ...env } = process.env;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], env });
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
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    bypassCSP: true,
  });
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

/** axe-core's findings of consequence, a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(
    readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  );
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
