/**
 * The page's looks, in this order: colours, the page, marks in pictures, the frame of a picture, rows of differences (forest),
 * pictures beside each other (multiples), then narrow, wide and printed pages. Colour shows only the verdict, and words always
 * say it, too.
 *
 * Classes whose names do not say it:
 * - text of the page: `.lead` is the small print under the findings, `.says` the line under a heading, `.key` the legend of a
 *   picture, `.range` an interval or another remark beside a figure;
 * - text in a picture: `.tick` is a figure on an axis, `.words` any other text;
 * - marks: `.zero` is the line at 0, `.band` what is too near to 0 for a verdict, `.kept` the range of a number whose cards did
 *   better.
 *
 * Rules that look odd:
 * - `.draw` takes the height of its row, and does not make the row higher;
 * - `.whom` is for screen readers alone, and for all on narrow pages, where the column heads are hidden;
 * - `.forest.forest` is doubled to win over `.of-1` and `.of-2`;
 * - exactly four pictures (`figure:nth-child(4):last-child`) stand two by two;
 * - print is zoomed so that a report fits on about three pages.
 */
export const STYLE = `
/* Colours */
:root{color-scheme:light dark;--page:#fcfcfb;--ink:#1b2127;--quiet:#56616c;--line:#dcdfe2;--zero:#646e77;--soft:#c3cbd2;--band:#b3bdc6;
  --above:#0068a8;--below:#b8581a;--kept:#cfe3f2}
@media screen and (prefers-color-scheme:dark){
  :root{--page:#14181c;--ink:#e4e8eb;--quiet:#9fabb6;--line:#2d353c;--zero:#8b96a1;--soft:#46525d;--band:#4a5762;
    --above:#58aee8;--below:#f0914a;--kept:#20394c}
}
/* The page */
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .25rem;font-weight:650;overflow-wrap:anywhere}
section{margin-top:2rem;border-top:2px solid var(--ink);padding-top:.75rem}
p{margin:0 0 .75rem;max-width:46rem;overflow-wrap:anywhere;text-wrap:pretty}
#settings dl{grid-template-columns:fit-content(50%) 1fr}
.lead,.note{color:var(--quiet);font-size:.875rem}
.note{margin-top:.35rem}
.note+.note{margin-top:-.4rem}
header dl{margin:1rem 0 0;font-size:1.0625rem;gap:.35rem 1rem;grid-template-columns:max-content 1fr}
header dt{color:var(--ink);font-weight:650}
header dl+.lead{margin-top:1rem}
.overdue{font-weight:650;border-left:4px solid var(--below);padding-left:.75rem}
dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem 1rem;margin:0 0 .75rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
/* Marks: .own is a bar or dot of the type, .iv an interval */
.plot{padding:.75rem .75rem 1.6rem 2.75rem;margin:.25rem 0 .5rem}
svg{display:block;overflow:visible}
.tick{font-size:12px;fill:var(--quiet)}
.words{font-size:12px;font-weight:650;fill:var(--ink);paint-order:stroke;stroke:var(--page);stroke-width:3px}
.grid{stroke:var(--line);stroke-width:1;shape-rendering:crispEdges}
.band{fill:var(--band);shape-rendering:crispEdges}
.zero{stroke:var(--zero);stroke-width:1.25;shape-rendering:crispEdges}
.draw .zero{stroke-width:1}
.bar{fill:var(--soft);stroke:var(--page);stroke-width:.5}
.bar.bought{fill:var(--zero)}
.kept{fill:var(--kept)}
.own{fill:var(--zero)}
.iv{stroke:var(--zero)}
:is(g,figure).above .own{fill:var(--above)}
:is(g,figure).above .iv{stroke:var(--above)}
:is(g,figure).below .own{fill:var(--below)}
:is(g,figure).below .iv{stroke:var(--below)}
.above>.verdict>:first-child,b.above{color:var(--above)}
.below>.verdict>:first-child,b.below{color:var(--below)}
.median{stroke:var(--ink);stroke-width:1.5}
.change{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:4 3}
.iv{stroke-width:4;stroke-linecap:round}
.iv.thin{stroke-width:1.25}
/* The frame of a picture, with what its marks mean */
.frame{border:1px solid var(--line);border-radius:6px;padding:0 .75rem .25rem;margin:.75rem 0}
.key{font-size:.8125rem;border-bottom:1px solid var(--line);padding:.5rem 0;margin-bottom:.5rem}
.key p{margin:0;max-width:none}
.key span{display:inline-block;margin-right:1.1rem}
.key svg{display:inline-block;vertical-align:-1px}
h3{font-size:1rem;line-height:1.3;font-weight:650;margin:1rem 0 .15rem}
.scale+h3{margin-top:.25rem}
/* Rows of differences: .of-1 has 1 column, .of-2 has 2, .bare has no picture; .draw is a picture, .whom what it compares with */
.forest ul{list-style:none;margin:0;padding:0}
.forest li{position:relative}
.forest li,.scale{display:grid;column-gap:1rem}
.of-1 :is(li,.scale),.bare li{grid-template-columns:12rem 1fr 9rem 7rem}
.of-2 :is(li,.scale){grid-template-columns:10.5rem 1fr 7.4rem 1fr 9.1rem 6.6rem;column-gap:.75rem}
.forest li{grid-template-areas:"name draw-1 value-1 size" "verdict draw-1 value-1 size" "about about about about";grid-template-rows:auto 1fr;border-top:1px solid var(--line)}
.of-2 li{grid-template-areas:"name draw-1 value-1 draw-2 value-2 size" "verdict draw-1 value-1 draw-2 value-2 size" "about about about about about about"}
.scale{font-size:.8125rem;align-items:end}
.scale b{display:block;text-align:center}
.scale>:first-child{grid-column:2}
.scale :is(.size,.figures){color:var(--quiet);text-align:right;line-height:1.25;padding-bottom:.2rem}
.name{grid-area:name;overflow-wrap:anywhere;padding-top:.35rem}
.draw{height:0;min-height:100%}
.draw-1{grid-area:draw-1}
.draw-2{grid-area:draw-2}
.value-1{grid-area:value-1}
.value-2{grid-area:value-2}
.forest li .size{grid-area:size}
:is(.value,.size){text-align:right;line-height:1.25;padding:.35rem 0}
.of-2 :is(.value-1,.scale-1+.figures){padding-right:.75rem}
.verdict{grid-area:verdict;font-size:.8125rem;line-height:1.3;padding-bottom:.35rem}
.whom{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.forest dl{grid-area:about;grid-template-columns:7rem 1fr;margin-bottom:.5rem;font-size:.8125rem}
.range{display:block;color:var(--quiet);font-size:.8125rem;white-space:nowrap}
.verdict .range{white-space:normal}
#lately .name b{font-weight:400}
/* Pictures beside each other */
.multiples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr));gap:.5rem 1.75rem}
figure{margin:0;min-width:0;display:flex;flex-direction:column}
figcaption{flex:1;font-size:.875rem;margin-bottom:.25rem;overflow-wrap:anywhere}
figcaption b{display:block}
figure:only-child{max-width:46rem}
@media (min-width:44rem){
  .multiples:has(>figure:nth-child(4):last-child){grid-template-columns:1fr 1fr}
}
footer{margin-top:2rem;border-top:1px solid var(--line);padding-top:.75rem;color:var(--quiet);font-size:.875rem}
/* Narrow, wide, printed */
@media screen and (max-width:52rem){
  main{padding-top:1.5rem}
  h1{font-size:1.625rem}
  .forest.forest :is(li,.scale){grid-template-columns:1fr 8.75rem;column-gap:.75rem}
  .forest.forest li{grid-template-areas:"name size" "verdict size" "draw-1 value-1" "draw-2 value-2" "about about";grid-template-rows:none}
  .scale>*{display:none}
  .scale>.scale-1{display:block;grid-column:1}
  .of-2 .scale b{display:none}
  :is(.of-2,.bare) .whom{position:static;display:block;width:auto;height:auto;clip-path:none;white-space:normal;font-size:.8125rem;font-weight:650}
  .forest.of-2 .value.value-1{padding-right:0}
  .draw{height:3.4rem;min-height:0}
  dl,.forest dl{grid-template-columns:5.5rem 1fr;column-gap:.5rem}
  header dl{grid-template-columns:max-content 1fr;font-size:1rem}
}
@media screen and (min-width:84rem){
  main{max-width:84rem}
  .multiples{grid-template-columns:repeat(auto-fit,minmax(14rem,1fr))}
}
@media print{
  :root{--page:#fff;--ink:#000;--quiet:#444}
  body{font-size:10.5pt}
  main{max-width:none;padding:0;zoom:.6}
  .multiples{grid-template-columns:repeat(3,1fr)}
  figure:only-child{grid-column:1/3}
  p{max-width:none}
  section{margin-top:1.2rem}
  h3{break-after:avoid}
  footer{break-before:avoid}
  h2,.says{break-after:avoid}
  .says,.plot,.forest li,figure{break-inside:avoid}
  .note{break-before:avoid}
  p{orphans:3;widows:3}
  svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
@page{margin:16mm}
`;
