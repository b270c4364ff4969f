import { html, Markup } from './markup.ts';
import { STYLE } from './style.ts';

interface Page {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead: string;
  /** What the report is of: names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly (Markup | undefined)[];
  readonly footer: string;
}

/**
 * One file, complete in itself. Its policy forbids every request and every script, so that a text of the service that
 * got through all the same could do nothing.
 */
export function page({ title, lead, facts, sections, footer }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<p class="lead">${lead}</p>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
</header>
${sections}<footer><p>${footer}</p></footer>
</main>
</body>
</html>
`.text;
}
