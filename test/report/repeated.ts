/** What a report says twice. */

/** The elements that end a sentence, also without a full stop. */
const BLOCKS =
  /<\/?(?:p|h1|h2|h3|li|dt|dd|dl|ul|div|section|figure|figcaption|br|header|footer)\b[^>]*>/g;

/** Five words or fewer are a label: `What to do`. */
const LONGEST_LABEL = 5;

/**
 * The sentences of more than five words that stand more than once on a page, in the order in which they do so. Two
 * types may have the same figures and the same verdict: the cells of a row's picture do not count.
 */
export function repeatedSentences(page: string): string[] {
  const [, body = ''] = page.split('<body>');
  const prose = body
    .replaceAll(/<svg\b[\s\S]*?<\/svg>/g, '')
    .replaceAll(/<div class="(?:verdict|value value-\d)">[\s\S]*?<\/div>/g, '')
    .replaceAll(BLOCKS, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');
  const sentences = prose
    .split(/\n|(?<=[.:?!]) /)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/).length > LONGEST_LABEL);
  return sentences.filter((sentence, i) => sentences.indexOf(sentence) < i);
}
