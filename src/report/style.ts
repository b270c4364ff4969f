/**
 * The page's looks. Colours are Okabe and Ito's, which people with any colour blindness tell apart, darkened or
 * lightened until each has a contrast of 3 to 1 with the page; words are never told by colour alone.
 */
export const STYLE = `
:root{color-scheme:light dark;--page:#fcfcfb;--ink:#1b2127;--quiet:#56616c;--line:#dcdfe2;--zero:#6d7780;--soft:#c3cbd2;
--c0:#0068a8;--c1:#c25100;--c2:#00805f;--c3:#a8477e;--c4:#9a6d00;--c5:#2b86b8;--c6:#5b6570;
--n3:#b8581a;--n2:#dd9a68;--n1:#f3d8c4;--z:#eef0f1;--p1:#cfe3f2;--p2:#83b7dc;--p3:#1f78b4;--on3:#fff;--on2:#1b2127}
@media screen and (prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e4e8eb;--quiet:#9fabb6;--line:#2d353c;--zero:#8b96a1;--soft:#46525d;
--c0:#58aee8;--c1:#f0914a;--c2:#3fc09a;--c3:#e08fbb;--c4:#e0b040;--c5:#8fcdf0;--c6:#a9b4be;
--n3:#d9762f;--n2:#8f5227;--n1:#4a3324;--z:#232a30;--p1:#20394c;--p2:#2a6390;--p3:#4aa3df;--on3:#14181c;--on2:#e4e8eb}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;font-weight:650;letter-spacing:-.01em}
h2{font-size:1.15rem;line-height:1.3;margin:0 0 .35rem;font-weight:650}
section{margin-top:3rem}
p{margin:0 0 .75rem;max-width:42rem;overflow-wrap:anywhere}
.lead{color:var(--quiet);margin-bottom:1.5rem}
.says{margin-bottom:1rem}
.note{color:var(--quiet);font-size:.875rem}
.warn{border-left:3px solid var(--c1);padding-left:.75rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.25rem;margin:0 0 1.25rem;font-size:.9375rem}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
h3{font-size:.9375rem;font-weight:600;margin:1rem 0 .25rem}
.plot{padding:0 1.25rem 0 3.25rem;margin:.25rem 0 1rem}
svg{display:block;overflow:visible}
.y-title,.x-title{font-size:.8125rem;color:var(--quiet)}
.y-title{margin:0 0 .55rem -3.25rem}
.x-title{text-align:right;margin:1.55rem -1.25rem 0 0}
.tick{font-size:12px;fill:var(--quiet)}
.grid{stroke:var(--line);stroke-width:1;shape-rendering:crispEdges}
.zero{stroke:var(--zero);stroke-width:1.25;shape-rendering:crispEdges}
.same{stroke:var(--zero);stroke-width:1.25;stroke-dasharray:4 3}
.bar{fill:var(--soft)}.bar.bought{fill:var(--c0)}.bar.move{fill:var(--c0)}
.run{fill:none;stroke:var(--c0);stroke-width:2;vector-effect:non-scaling-stroke}
.median{stroke:var(--c1);stroke-width:2}
.pt{fill:var(--soft)}
.k0{fill:var(--c0)}.k1{fill:var(--c1)}.k2{fill:var(--c2)}.k3{fill:var(--c3)}.k4{fill:var(--c4)}.k5{fill:var(--c5)}.k6{fill:var(--c6)}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}.s6{stroke:var(--c6)}
.d1{fill:var(--c0);fill-opacity:.14}.d2{fill:var(--c0);fill-opacity:.32}.d3{fill:var(--c0);fill-opacity:.52}.d4{fill:var(--c0);fill-opacity:.76}.d5{fill:var(--c0)}
.iv{stroke-width:2.5;stroke-linecap:round}.weak{stroke-dasharray:2 4}
circle.faint{fill-opacity:.55}
.legend{overflow-wrap:anywhere;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;margin:0 0 .75rem;padding:0;list-style:none;font-size:.875rem}
.legend svg{display:inline-block;vertical-align:-1px;margin-right:.4rem}
table{border-collapse:collapse;font-size:.875rem;width:100%}
th{font-weight:500;text-align:left}
thead th{color:var(--quiet);font-weight:400;vertical-align:bottom}
.word{text-align:left}.figure{text-align:right}
td,th{padding:.2rem .5rem;border-bottom:1px solid var(--line)}
th:first-child{padding-left:0}td:last-child{padding-right:0}
.numbers :is(td,th),.heat td{white-space:nowrap}
.forest{table-layout:fixed;margin-bottom:1rem}.forest caption{text-align:left}.forest :is(th,td){border-bottom:0;padding:.1rem .4rem;vertical-align:middle}
.forest .name{width:26%;overflow-wrap:anywhere;padding-left:0}.forest .num{width:3.6rem;text-align:right}.forest .verdict{width:6.4rem;padding-right:0}
.forest .draw{padding-top:0;padding-bottom:0}.forest svg{margin:0 .4rem;width:calc(100% - .8rem)}
.forest .part th{padding:1rem 0 .15rem;font-weight:600}
.forest .x-title{margin:0}
.differs{font-weight:650}
.wide{overflow-x:auto}
.heat{width:auto}.heat td{text-align:center;padding:.25rem .45rem;border:2px solid var(--page);min-width:4rem}
.heat thead th{text-align:center;font-weight:500;color:var(--ink);font-size:.8125rem;line-height:1.25;max-width:7rem;overflow-wrap:break-word}.heat tbody th{padding-right:.75rem;border:0;white-space:nowrap}
.h-3{background:var(--n3);color:var(--on3)}.h-2{background:var(--n2);color:var(--on2)}.h-1{background:var(--n1)}.h0{background:var(--z)}.h1{background:var(--p1)}.h2{background:var(--p2);color:var(--on2)}.h3{background:var(--p3);color:var(--on3)}
details{margin:.25rem 0 0}summary{cursor:pointer;color:var(--quiet);font-size:.875rem;padding:.25rem 0}
summary:focus-visible,.wide:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;color:var(--quiet);font-size:.875rem}
@media (max-width:34rem){main{padding-top:1.5rem}.forest .num{display:none}.forest .name{width:34%}.forest .verdict{width:5.4rem}.forest{font-size:.8125rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}}
@media screen{.paper{display:none}}
@media print{:root{--page:#fff;--ink:#000;--quiet:#444}
body{font-size:10.5pt}main{max-width:none;padding:0}p{max-width:none}section{margin-top:1.75rem}footer{margin-top:1.5rem;break-before:avoid}
h2,h3,.says,.legend{break-after:avoid}.says,.legend,.plot,.heat,tr,.forest tbody{break-inside:avoid}.note{break-before:avoid}p{orphans:3;widows:3}
details:not([open]){display:none}.wide{overflow:visible}svg,.heat td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:16mm}
`;
