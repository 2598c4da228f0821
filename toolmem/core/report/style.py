"""Style sheet and script of the report page: both are part of the page itself."""

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --card: #f7f8fa; --text: #1b1f24;
  --muted: #5b6570; --line: #dfe3e8; --link: #1f5fa8; --critical: #b3261e;
  --high: #8a5200; --normal: #3b6ea8; --grey: #66707b; --green: #3f8a4d;
  --violet: #7a5bb0; --teal: #2f8a8a; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --card: #1c2026;
  --text: #e6e9ed; --muted: #9aa4af; --line: #30363d; --link: #7db4f0;
  --critical: #f0766c; --high: #e0a04a; --normal: #6fa6e0; --grey: #828c97;
  --green: #6cba7a; --violet: #b294e6; --teal: #5fbdbd; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.5rem 4rem;
  background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 3rem 0 .2rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
p { margin: .2rem 0 .8rem; } .about, .meta, .none { color: var(--muted); }
.meta { font-size: .85rem; } .none { font-style: italic; }
.path { overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 1rem 0; }
#search { display: block; width: 100%; max-width: 26rem; margin: 1rem 0 0;
  padding: .5rem .8rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; }
[hidden] { display: none !important; }
.tiles { display: grid; gap: .7rem; margin: 1.4rem 0 0;
  grid-template-columns: repeat(4, 1fr); }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .7rem .9rem; color: var(--muted); font-size: .85rem; line-height: 1.3; }
.tile b { display: block; color: var(--text); font-size: 1.6rem; line-height: 1.25;
  font-variant-numeric: tabular-nums; }
.tile.alert b { color: var(--critical); }
table { border-collapse: collapse; width: 100%; margin: .4rem 0 0; }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .6rem .45rem 0;
  text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: .8rem; font-weight: 600;
  white-space: nowrap; }
tbody th { font-size: 1rem; padding-top: 1.3rem; }
td.n, th.n { text-align: right; white-space: nowrap; padding: .45rem 0 .45rem 1rem;
  font-variant-numeric: tabular-nums; }
td.zero { color: var(--grey); } td.bar { width: 40%; padding-left: 1rem; }
.chip { display: inline-block; margin-right: .45rem; padding: 0 .5rem;
  border-radius: 1rem; border: 1px solid currentColor; color: var(--muted);
  font-size: .75rem; font-weight: 600; line-height: 1.4; }
.chip.critical { color: var(--critical); } .chip.high { color: var(--high); }
.key i { background: var(--grey); }
.key { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .3rem 0 .6rem;
  font-size: .85rem; color: var(--muted); }
.key i { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem;
  border-radius: .2rem; vertical-align: -1px; }
.red { background: var(--critical) !important; fill: var(--critical); }
.amber { background: var(--high) !important; fill: var(--high); }
.blue { background: var(--normal) !important; fill: var(--normal); }
.green { background: var(--green) !important; fill: var(--green); }
.violet { background: var(--violet) !important; fill: var(--violet); }
.teal { background: var(--teal) !important; fill: var(--teal); }
.grey { background: var(--grey) !important; fill: var(--grey); }
svg { display: block; width: 100%; height: auto; margin: .4rem 0 0; }
svg.track { height: .8rem; border-radius: .2rem; }
svg text { fill: var(--muted); font-size: 12px; font-family: inherit; }
svg .grid { stroke: var(--line); } svg polyline { fill: none; stroke-width: 2; }
polyline.blue { stroke: var(--normal); } polyline.green { stroke: var(--green); }
polyline.grey { stroke: var(--grey); }
svg.narrow { display: none; }
@media (max-width: 640px) {
  body { padding: 1.2rem 1rem 3rem; }
  svg.wide { display: none; } svg.narrow { display: block; }
  table, tbody, tr, td, tbody th { display: block; width: 100%; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  th, td, td.n { border: 0; padding: 0; text-align: left; }
  tbody th { padding-top: .8rem; }
  td.bar { width: 100%; padding: 0; }
  .tiles { grid-template-columns: repeat(2, 1fr); }
  td.n { display: inline-block; width: auto; margin: .15rem 1rem 0 0;
    font-size: .85rem; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--muted); }
  td.n.zero { display: none; }
}
@media print {
  :root { color-scheme: light; --paper: #ffffff; --card: #ffffff; --text: #000000;
    --muted: #444444; --line: #cccccc; --link: #000000; --critical: #b3261e;
    --high: #8a5200; --normal: #3b6ea8; --grey: #66707b; --green: #3f8a4d;
    --violet: #7a5bb0; --teal: #2f8a8a; }
  body { max-width: none; padding: 0; font-size: 10pt;
    -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  nav, #search { display: none; }
  h2, h3, tbody th { break-after: avoid; } tr, svg, .tile { break-inside: avoid; }
  thead { display: table-header-group; }
}
"""
SCRIPT = """
"use strict";
const box = document.getElementById("search");
const items = [...document.querySelectorAll(".item")];
const texts = items.map((item) => item.textContent.toLowerCase());
const groups = [...document.querySelectorAll("tbody.group")];
box.hidden = false;
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/);
  items.forEach((item, n) => {
    item.hidden = !words.every((word) => texts[n].includes(word));
  });
  groups.forEach((group) => {
    group.hidden = !group.querySelector(".item:not([hidden])");
  });
});
"""
