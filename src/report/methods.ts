import { html, type Markup } from './markup.ts';

/** How the figures are made, in words, with their sources. */
export function methods(): Markup {
  return html`<section id="methods" aria-labelledby="methods-title">
<h2 id="methods-title">How the figures are made</h2>
<p>A move is the change of the price from the trigger to one hour or 24 hours later, in percent, as the service measured it. The difference to BTC is the move less BTC's move over the same time, in percentage points. The direction of a signal is not known, and nothing here is trading profit.</p>
<p>Medians and quartiles are of type 7 (linear between two outcomes). Outcomes of one day share one market, so the intervals treat days as clusters: a UTC day after 1 h, two or three days after 24 h, whose windows overlap. The median's interval is Woodruff's (1952) with the clustered variance of Francisco and Fuller (1991), corrected for uneven days as by Bell and McCaffrey (2002). Fewer than six clusters give no interval, fewer than twelve a weak one.</p>
<p>A group is said to differ from BTC only where its p value, adjusted by Holm's method (1979) for all groups and both horizons, stays below 0.05. Where several groups are compared, the largest difference is partly luck; the verdict allows for that.</p>
<p>A card carries its screener type, not the screener: two screeners of one type cannot be told apart. An outcome is known only where it was bought.</p>
</section>
`;
}
