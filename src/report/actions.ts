/** What to keep, to drop and to change, below the title of the page: the same lines as in the terminal. */
import type { Actions } from '../output/views/actions.ts';
import { actionLines, type Piece } from '../output/views/actions-words.ts';
import { type Fact, html, label, type Markup, type MarkupPart, signedFigure } from './markup.ts';

export function actionFacts(actions: Actions): Fact[] {
  return actionLines(actions).map((line): Fact => {
    // Each phrase of a line stands on a line of its own on the page.
    const [first = [], ...further] = line.phrases.map((phrase) => phrase.map(partOf));
    return [line.label, [first, ...further.map((parts) => html`<br>${parts}`)]];
  });
}

/** The classes of the page's style sheet that colour a good and a bad name. */
const CLASSES = { good: 'above', bad: 'below' } as const;

function partOf(piece: Piece): MarkupPart {
  if (typeof piece === 'string') return piece;
  if ('points' in piece) return signedFigure(piece.points, 1);
  return nameOf(piece);
}

function nameOf({ name, tone }: Extract<Piece, { readonly name: string }>): Markup {
  if (tone === 'dim') return html`<b>${label(name)}</b>`;
  return html`<b class="${CLASSES[tone]}">${label(name)}</b>`;
}
