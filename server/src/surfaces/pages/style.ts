/** The one style sheet of all pages for people, in the colours of the screens. Contrast of text is at least 4.5 : 1 in both schemes. */
export const css = `
:root {
  --ground: #f6f8f7; --card: #ffffff; --ink: #17211c; --quiet: #5c6761; --line: #e3e7e5;
  --accent: #14704c; --accent-down: #0f5a3d; --on-accent: #ffffff; --field: #ffffff; --edge: #848f89;
  --wrong: #a3231d; --wrong-ground: #fdeeed; --tint: #e8f5ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101613; --card: #161d19; --ink: #e6ece8; --quiet: #9aa8a0; --line: #27302b;
    --accent: #4fbf8d; --accent-down: #74d3a8; --on-accent: #06200f; --field: #101613; --edge: #66736c;
    --wrong: #ff9c94; --wrong-ground: #3a1b19; --tint: #16322a;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; accent-color: var(--accent); }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 20px;
  background: var(--ground); color: var(--ink);
  font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { display: flex; align-items: center; gap: 8px; font-weight: 650; font-size: 18px; letter-spacing: -0.01em; }
header { max-width: 100%; text-align: center; overflow-wrap: anywhere; }
header svg { fill: var(--accent); }
header img { display: block; height: 40px; max-width: min(240px, 80vw); object-fit: contain; }
@media (prefers-color-scheme: dark) { header img { padding: 6px 10px; height: 48px; border-radius: 10px; background: #ffffff; } }
main {
  width: 100%; max-width: 440px; padding: 32px; overflow-wrap: break-word;
  background: var(--card); border: 1px solid var(--line); border-radius: 16px;
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 8px 24px rgb(0 0 0 / 6%);
}
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
h2 { margin: 24px 0 8px; font-size: 16px; }
/* what people wrote stands in the direction of its own script */
h1, h2, p, li, dd, label, legend, span, option, input, textarea { unicode-bidi: plaintext; }
p { margin: 0 0 16px; }
main > p:last-child { margin-bottom: 0; }
a { color: var(--accent); font-weight: 600; text-underline-offset: 3px; }
.quiet { color: var(--quiet); }
.note { margin: 16px 0 0; color: var(--quiet); font-size: 14px; }
form { margin: 0; }
label { display: block; margin: 16px 0 6px; font-weight: 600; font-size: 15px; }
input, textarea, select {
  width: 100%; min-height: 46px; padding: 10px 12px; font: inherit;
  color: var(--ink); background: var(--field); border: 1px solid var(--edge); border-radius: 10px;
}
label.choice { display: flex; gap: 10px; align-items: center; margin: 0; padding: 8px 0; font-weight: 400; cursor: pointer; }
label.choice span { min-width: 0; overflow-wrap: anywhere; }
label.choice input { width: 22px; min-height: 22px; height: 22px; margin: 0; flex: none; }
[aria-invalid="true"] { border-color: var(--wrong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong {
  margin: 16px 0 0; padding: 10px 14px; border-left: 4px solid var(--wrong); border-radius: 8px;
  background: var(--wrong-ground); color: var(--wrong); font-weight: 600; font-size: 15px;
}
.actions { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 24px; }
.actions button { flex: 1; padding-left: 12px; padding-right: 12px; }
.instead { margin: 20px 0 0; text-align: center; }
button {
  min-height: 46px; padding: 10px 18px; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: 10px;
}
button:hover { background: var(--tint); }
button.main { color: var(--on-action, var(--on-accent)); background: var(--action, var(--accent)); border-color: var(--action-edge, var(--accent)); }
button.main:hover { background: var(--action-down, var(--accent-down)); }
button.link {
  display: inline; min-height: 0; padding: 4px 0; border: 0; border-radius: 4px; background: none;
  color: var(--accent); font-weight: 600; font-size: inherit; text-decoration: underline; text-underline-offset: 3px;
}
ul.ticks { margin: 0; padding: 0; list-style: none; }
ul.ticks li { position: relative; padding: 7px 0 7px 30px; }
ul.ticks li + li { border-top: 1px solid var(--line); }
ul.ticks li::before {
  content: ""; position: absolute; left: 4px; top: 12px; width: 7px; height: 12px;
  border: solid var(--accent); border-width: 0 2.5px 2.5px 0; transform: rotate(40deg);
}
.who { margin: 20px 0 0; padding: 12px 14px; border-radius: 10px; background: var(--tint); font-size: 15px; }
.who strong { display: block; }
.words { white-space: pre-line; }
.right { margin: 16px 0 0; padding: 10px 14px; border-left: 4px solid var(--accent); border-radius: 8px; background: var(--tint); font-size: 15px; }
.right strong { display: block; }
dl.facts { margin: 16px 0; padding: 12px 0; border: solid var(--line); border-width: 1px 0; font-size: 15px; }
dl.facts div + div { margin-top: 10px; }
dl.facts dt { color: var(--quiet); font-size: 14px; }
dl.facts dd { margin: 0; white-space: pre-line; }
[hidden] { display: none; }
@media (max-width: 460px) {
  body { padding: 16px 12px; justify-content: flex-start; }
  main { padding: 24px 20px; border-radius: 14px; }
  .actions { flex-direction: column; }
}
`

/** The numbers of a scale as boxes, whose whole area is chosen. */
export const scaleStyle = `
.scale .choice { position: relative; justify-content: center; min-height: 48px; margin: 0; padding: 0; border: 1px solid var(--edge); border-radius: 10px; background: var(--field); font-weight: 600; }
.scale .choice input { position: absolute; inset: 0; width: 100%; height: 100%; min-height: 0; opacity: 0; cursor: pointer; }
.scale .choice:hover { background: var(--tint); }
.scale .choice:has(:checked) { color: var(--on-action, var(--on-accent)); background: var(--action, var(--accent)); border-color: var(--action-edge, var(--accent)); }
.scale .choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (forced-colors: active) { .scale .choice:has(:checked) { outline: 3px solid Highlight; } }
`
