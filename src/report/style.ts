/** The page's looks. Colour is the verdict alone, and never tells it alone. */
export const STYLE = `
:root{color-scheme:light dark;--page:#fcfcfb;--ink:#1b2127;--quiet:#56616c;--line:#dcdfe2;--zero:#646e77;--soft:#c3cbd2;
--above:#0068a8;--below:#b8581a;--kept:#cfe3f2}
@media screen and (prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e4e8eb;--quiet:#9fabb6;--line:#2d353c;--zero:#8b96a1;--soft:#46525d;
--above:#58aee8;--below:#f0914a;--kept:#20394c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .25rem;font-weight:650;overflow-wrap:anywhere}
section{margin-top:2rem;border-top:2px solid var(--ink);padding-top:.75rem}
p{margin:0 0 .75rem;max-width:46rem;overflow-wrap:anywhere}
.lead,.note{color:var(--quiet);font-size:.875rem}
.note{margin-top:.35rem}
header dl{margin:1rem 0 0;font-size:1.0625rem;gap:.2rem 1rem;grid-template-columns:max-content 1fr}header dt{color:var(--ink);font-weight:650}header dl+.lead{margin-top:1rem}dd .above{color:var(--above);font-weight:650}dd .below{color:var(--below);font-weight:650}
dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem 1rem;margin:0 0 .75rem}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
.plot{padding:.75rem .75rem 1.6rem 2.75rem;margin:.25rem 0 .5rem}
svg{display:block;overflow:visible}
.tick{font-size:12px;fill:var(--quiet)}
.words{font-size:12px;font-weight:650;fill:var(--ink);paint-order:stroke;stroke:var(--page);stroke-width:3px}
.grid{stroke:var(--line);stroke-width:1;shape-rendering:crispEdges}
.band{fill:var(--line)}.zero{stroke:var(--zero);stroke-width:1.25;shape-rendering:crispEdges}
b.bought{color:var(--zero)}.bar{fill:var(--soft);stroke:var(--page);stroke-width:.5}.bar.bought{fill:var(--zero)}
.kept{fill:var(--kept)}.own{fill:var(--zero)}.iv{stroke:var(--zero)}
.above .own{fill:var(--above)}.above .iv{stroke:var(--above)}.below .own{fill:var(--below)}.below .iv{stroke:var(--below)}
.above :is(.verdict,.value b),b.above{color:var(--above)}.below :is(.verdict,.value b),b.below{color:var(--below)}
.median{stroke:var(--ink);stroke-width:1.5}
.change{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:4 3}
.iv{stroke-width:4;stroke-linecap:round}.iv.thin{stroke-width:1.25}.iv.weak{stroke-dasharray:2 5}
.forest ul{list-style:none;margin:0;padding:0}
.forest li,.scale{display:grid;grid-template-columns:11rem 1fr 6.5rem 8rem 7rem;column-gap:1rem}
.forest li{grid-template-areas:"name draw value btc size" "verdict draw value btc size" "about about about about about";border-top:1px solid var(--line)}
.scale svg{grid-column:2}
.name{grid-area:name;overflow-wrap:anywhere;padding-top:.35rem}.draw{grid-area:draw;height:0;min-height:100%}.value{grid-area:value}.btc{grid-area:btc}.size{grid-area:size}:is(.value,.btc,.size){text-align:right;line-height:1.25;padding-top:.35rem}
.verdict{grid-area:verdict;font-size:.8125rem;padding-bottom:.35rem}
.forest dl{grid-area:about;grid-template-columns:11rem 1fr;margin-bottom:.5rem;font-size:.8125rem}
.bare :is(.scale,.draw){display:none}.range{display:block;color:var(--quiet);font-size:.8125rem;white-space:nowrap}
.multiples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr));gap:.5rem 1.75rem}
figure{margin:0;min-width:0;display:flex;flex-direction:column}figcaption{flex:1;font-size:.875rem;margin-bottom:.25rem;overflow-wrap:anywhere}figcaption b{display:block}
figure:only-child{max-width:46rem}@media (min-width:44rem){.multiples:has(>figure:nth-child(4):last-child){grid-template-columns:1fr 1fr}}
footer{margin-top:2rem;border-top:1px solid var(--line);padding-top:.75rem;color:var(--quiet);font-size:.875rem}
@media screen and (max-width:44rem){main{padding-top:1.5rem}h1{font-size:1.625rem}
.forest :is(li,.scale){grid-template-columns:1fr auto}.forest li{grid-template-areas:"name value" "verdict value" "draw draw" "btc size" "about about"}
:is(.btc,.size){font-size:.8125rem;padding-top:0}.size .range{display:inline}.btc{text-align:left}dl,.forest dl{grid-template-columns:5.5rem 1fr;column-gap:.5rem}header dl{grid-template-columns:max-content 1fr;font-size:1rem}
.scale svg{grid-column:1/-1}.draw{height:36px;min-height:0}:is(.scale svg,.draw){width:calc(100% - 1.5rem);margin:0 .75rem}}
@media screen and (min-width:84rem){main{max-width:84rem}.multiples{grid-template-columns:repeat(auto-fit,minmax(14rem,1fr))}}
@media print{:root{--page:#fff;--ink:#000;--quiet:#444}
body{font-size:10.5pt}main{max-width:none;padding:0;zoom:.6}.multiples{grid-template-columns:repeat(3,1fr)}figure:only-child{grid-column:1/3}p{max-width:none}section{margin-top:1.2rem}footer{break-before:avoid}
h2,.says{break-after:avoid}.says,.plot,.forest li,figure{break-inside:avoid}.note{break-before:avoid}p{orphans:3;widows:3}
svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:16mm}
`;
