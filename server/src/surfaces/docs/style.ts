/** The style sheet of the documentation. Contrast of text is at least 4.5 : 1 in both schemes. */
export const docsCss = `
:root {
  --ground: #ffffff; --side: #f3f6f4; --ink: #17211c; --quiet: #55635c; --line: #d3dcd7;
  --accent: #14704c; --tint: #e9f4ee; --code: #f3f6f4; --edge: #7b8a83;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1613; --side: #141c18; --ink: #e9f0ec; --quiet: #a5b4ac; --line: #2e3b35;
    --accent: #5fcf9f; --tint: #1f2f28; --code: #18211d; --edge: #71837a;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 76px; color-scheme: light dark; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; z-index: 3; padding: 8px 12px; background: var(--ground); }
header {
  position: sticky; top: 0; z-index: 2; display: flex; gap: 12px; align-items: center; min-height: 60px;
  padding: 8px 16px; background: var(--ground); border-bottom: 1px solid var(--line);
}
header > a { font-weight: 650; color: var(--ink); text-decoration: none; white-space: nowrap; }
header > a span { color: var(--quiet); font-weight: 400; }
form { position: relative; flex: 1; max-width: 560px; margin-left: auto; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: var(--ink);
  background: var(--ground); border: 1px solid var(--edge); border-radius: 10px;
}
.found {
  position: absolute; right: 0; left: 0; top: 50px; max-height: 70vh; overflow-y: auto; margin: 0; padding: 6px;
  list-style: none; background: var(--ground); border: 1px solid var(--edge); border-radius: 10px;
  box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
}
.found:empty { display: none; }
.found a, .results a { display: block; padding: 8px 10px; border-radius: 8px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.found a:hover, .found a:focus, .results a:hover { background: var(--tint); }
.found small, .results small { display: block; color: var(--quiet); font-size: 13px; }
.found p { margin: 8px 10px; }
.results { margin: 0; padding: 0; list-style: none; }
.page { display: grid; grid-template-columns: 280px minmax(0, 1fr); max-width: 1240px; margin: 0 auto; }
nav { padding: 20px 16px 40px; font-size: 15px; }
main { grid-column: 2; grid-row: 1; }
.side { grid-column: 1; grid-row: 1; border-right: 1px solid var(--line); background: var(--side); }
@media (min-width: 900px) {
  .side nav { position: sticky; top: 60px; max-height: calc(100vh - 60px); overflow-y: auto; }
  .jump { display: none; }
}
nav h2 { margin: 20px 8px 4px; font-size: 13px; letter-spacing: 0.04em; text-transform: uppercase; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 5px 8px; border-radius: 8px; color: var(--ink); text-decoration: none; }
nav li a:hover { background: var(--tint); }
nav li a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
nav summary { padding: 5px 8px; font-weight: 600; cursor: pointer; }
main { min-width: 0; padding: 28px 40px 80px; overflow-wrap: break-word; }
h1 { margin: 0 0 16px; font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 40px 0 12px; font-size: 22px; line-height: 1.3; }
h3 { margin: 28px 0 8px; font-size: 17px; }
main h2 a, main h3 a { color: inherit; text-decoration: none; }
main h2 a:hover, main h3 a:hover { text-decoration: underline; }
p { margin: 0 0 14px; }
code { padding: 1px 5px; border-radius: 5px; background: var(--code); font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: 0 0 18px; padding: 14px 16px; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 10px; line-height: 1.5; }
pre code { padding: 0; background: none; font-size: 13.5px; overflow-wrap: normal; }
.wide { margin: 0 0 18px; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th, td { padding: 8px 12px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--side); font-size: 13px; color: var(--quiet); }
td:last-child { min-width: 180px; }
td code { white-space: nowrap; }
section { padding-bottom: 20px; border-bottom: 1px solid var(--line); }
.path { margin-bottom: 10px; }
.method { display: inline-block; min-width: 58px; padding: 1px 8px; border-radius: 6px; background: var(--tint); color: var(--accent); font-size: 13px; font-weight: 700; text-align: center; }
.quiet { color: var(--quiet); font-size: 14px; }
details { margin: 0 0 12px; }
main summary { padding: 6px 0; cursor: pointer; font-weight: 600; }
.index { columns: 2; column-gap: 32px; margin: 0 0 20px; padding: 0; list-style: none; font-size: 14.5px; }
.index li { padding: 3px 0; break-inside: avoid; }
.index small { display: block; color: var(--quiet); overflow-wrap: anywhere; font-size: 13px; }
@media (max-width: 899px) {
  .page { display: block; }
  .side { border: 0; border-top: 1px solid var(--line); }
  main { padding: 20px 16px 48px; }
  header > a span { display: none; }
  .index { columns: 1; }
  h1 { font-size: 25px; }
}
@media (max-width: 599px) {
  .fields thead { position: absolute; left: -999px; }
  .fields tr { display: block; padding: 8px 12px; border-top: 1px solid var(--line); }
  .fields td { display: inline-block; min-width: 0; padding: 0 8px 0 0; border: 0; }
  .fields td:nth-child(2) { color: var(--quiet); font-size: 14px; }
  .fields td:last-child { display: block; }
  .fields td:empty { display: none; }
  td code { white-space: normal; }
}
`
