/** The style of the signing page, added to that of all pages: the document at the left, what is asked at the right. */
export const signingStyle = `
body { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); justify-content: stretch; gap: 0; min-height: 0; height: 100vh; height: 100dvh; padding: 0; align-items: stretch; }
header { gap: 6px 16px; min-height: 56px; padding: 6px 24px; background: var(--card); border-bottom: 1px solid var(--line); font-size: 15px; text-align: start; }
header h1 { flex: 1; min-width: 0; margin: 0; font-size: 14px; font-weight: 550; letter-spacing: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
header img { height: 28px; }
header form, header .tool { display: flex; gap: 4px; align-items: center; font-size: 14px; font-weight: 550; }
header button, header select { min-height: 36px; padding: 4px 10px; font-size: 14px; border-radius: 6px; }
header select { width: auto; }
header .tool a { color: inherit; text-decoration: none; padding: 8px; }
#zoom output { min-width: 52px; text-align: center; font-variant-numeric: tabular-nums; }
.skip { position: absolute; left: 8px; top: -60px; z-index: 3; padding: 10px; background: var(--card); }
.skip:focus { top: 8px; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 386px; max-width: none; padding: 0; background: none; border: 0; border-radius: 0; box-shadow: none; }
.stage { position: relative; min-height: 0; overflow: auto; padding: 0 16px; touch-action: pan-x pan-y; overscroll-behavior: contain; }
.stage:focus-visible { outline-offset: -3px; }
.stage:has(.pages) { padding: 0; }
.stage > iframe { display: block; width: 100%; height: calc(100% - 72px); min-height: 320px; border: 0; }
.stage > img { display: block; max-width: 100%; margin: 16px auto; }
.stage > p { max-width: 820px; margin: 16px auto; }
.stage > article { max-width: 820px; margin: 24px auto; padding: 40px 48px; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); }
article > :first-child { margin-top: 0; }
article > :last-child { margin-bottom: 0; }
article table { border-collapse: collapse; display: block; overflow-x: auto; }
article td, article th { border: 1px solid var(--line); padding: 4px 8px; }
.panel { min-height: 0; overflow: auto; padding: 24px 28px; background: var(--card); border-left: 1px solid var(--line); font-size: 15px; }
.panel > .quiet, .panel .note { font-size: 14px; }
.panel .who { margin: 0 0 16px; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { display: flex; gap: 8px; align-items: baseline; width: 100%; padding: 0; margin: 8px 0; }
legend h2 { flex: 1; margin: 0; font-size: 17px; }
legend small, .step-link small { color: var(--quiet); font-size: 13px; }
fieldset.step + fieldset.step { margin-top: 24px; }
.ways { display: flex; gap: 2px; margin: 16px 0 12px; padding: 2px; border: 1px solid var(--edge); border-radius: 8px; }
label.way { position: relative; flex: 1; margin: 0; border-radius: 6px; text-align: center; font-size: 14px; cursor: pointer; }
.ways label.way { padding: 10px 4px; }
.ways .way:has(:checked) { background: var(--tint); }
.way input { position: absolute; inset: 0; width: 100%; height: 100%; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }
.way:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.paper-box, .hands .way { display: block; background: #ffffff; border: 1px solid var(--edge); border-radius: 8px; }
.hands .way + .way { margin-top: 8px; }
.hands .way .pen { height: 72px; }
.hands .way:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 2px var(--accent); }
.pen { display: block; width: 100%; }
.pen path { fill: none; stroke: #12264f; stroke-width: 6; stroke-linecap: round; stroke-linejoin: round; }
.pad .pen { aspect-ratio: 3; touch-action: none; cursor: crosshair; }
.pad-acts { display: flex; gap: 20px; }
.pad-acts button { min-height: 44px; font-size: 14px; }
button:disabled { opacity: .5; cursor: default; }
.as-typed { padding: 20px; color: #12264f; background: #ffffff; border: 1px solid var(--edge); border-radius: 8px; font: italic 28px Georgia, "DejaVu Serif", serif; text-align: center; overflow-wrap: anywhere; }
#moves { display: flex; gap: 8px; margin: 16px 0 0; }
#moves .main { flex: 1; }
#steps { margin: 28px 0 0; padding: 0; list-style: none; }
#steps li { border-bottom: 1px solid var(--line); }
.step-link { display: flex; gap: 12px; align-items: center; width: 100%; padding: 4px 0; border: 0; border-radius: 0; font-size: 14px; font-weight: 450; text-align: start; }
.step-link span:nth-child(2) { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.step-link .number { flex: none; width: 22px; height: 22px; border: 1px solid var(--edge); border-radius: 50%; font-size: 12px; line-height: 20px; text-align: center; }
[data-state="current"] .number { border: 2px solid var(--accent); line-height: 18px; color: var(--accent); font-weight: 650; }
[data-state="done"] .number { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
[data-state="current"] span { font-weight: 600; }
#summary { margin: 0; }
#summary > div { padding: 8px 0; border-bottom: 1px solid var(--line); }
#summary dt { color: var(--quiet); font-size: 13px; }
#summary dd { margin: 0; overflow-wrap: anywhere; }
#summary .pen { width: 180px; margin-top: 4px; background: #ffffff; border-radius: 6px; }
label.choice { align-items: flex-start; margin-top: 8px; }
label.choice input { margin-top: 2px; }
.file { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; margin: 4px 0 8px; overflow-wrap: anywhere; }
.upload { margin-top: 8px; }
.scripted .upload { display: none; }
details { margin-top: 24px; border-top: 1px solid var(--line); padding-top: 8px; font-size: 14px; }
summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; color: var(--quiet); text-decoration: underline; text-underline-offset: 3px; }
.hidden-text { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pages { padding: 16px 0 1px; }
.page { position: relative; margin: 0 auto 16px; background: #ffffff; box-shadow: 0 0 0 1px var(--line); color-scheme: only light; }
.paper { position: absolute; inset: 0; overflow: hidden; --scale-round-x: 1px; --scale-round-y: 1px; }
.paper canvas { display: block; width: 100%; height: 100%; }
.unseen { padding: 40% 16px 0; color: #5c6761; text-align: center; }
.stage > .unseen { padding-top: 24px; color: var(--quiet); }
.text { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; transform-origin: 0 0; --min-font-size: 1; --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size)); --min-font-size-inv: calc(1 / var(--min-font-size)); }
.text :is(span, br) { position: absolute; color: transparent; white-space: pre; transform-origin: 0 0; cursor: text; }
.text > :not(.markedContent), .text .markedContent span:not(.markedContent) { --font-height: 0; --scale-x: 1; --rotate: 0deg; font-size: calc(var(--text-scale-factor) * var(--font-height)); transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)); }
.text .markedContent { display: contents; }
.text[data-main-rotation="90"] { transform: rotate(90deg) translateY(-100%); }
.text[data-main-rotation="180"] { transform: rotate(180deg) translate(-100%, -100%); }
.text[data-main-rotation="270"] { transform: rotate(270deg) translateX(-100%); }
.place { position: absolute; z-index: 1; display: flex; align-items: center; min-height: 0; padding: 0; border: 1px dashed #0f6d78; border-radius: 4px; background: rgb(15 109 120 / 9%); color: #17211c; font-weight: 400; container-type: size; overflow: hidden; scroll-margin: 40px; }
.theirs, .theirs:hover { border: 0; background: none; color: #12264f; pointer-events: none; }
.place[hidden] { display: none; }
.place:hover { background: rgb(15 109 120 / 18%); }
.place[data-state="current"] { border: 2px solid #14704c; background: rgb(20 112 76 / 14%); }
.place[data-state="done"] { border-style: solid; background: none; }
.place > span { flex: 1; min-width: 0; padding: 0 4px; overflow: hidden; font-size: min(60cqh, 16px); line-height: 1.1; text-align: start; white-space: nowrap; text-overflow: ellipsis; }
.place .hand { font-family: Georgia, "DejaVu Serif", serif; font-style: italic; }
.place .pen { width: min(100cqw, 300cqh); height: auto; margin: 0; }
@media (max-width: 760px) {
  header { flex-wrap: wrap; gap: 2px 8px; padding: 6px 16px; }
  header h1 { flex-basis: 100%; order: 9; font-size: 13px; }
  header > .tool:first-of-type { flex: 1; min-width: 0; }
  header > .tool:first-of-type span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  header select { width: 92px; }
  #zoom output { display: none; }
  [data-later] > :is(.quiet, .who) { display: none; }
  .tool.download { display: none; }
  main { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(30%, 1fr) auto; }
  .panel { max-height: 58dvh; padding: 16px; border-left: 0; border-radius: 14px 14px 0 0; box-shadow: 0 -2px 16px rgb(0 0 0 / 14%); }
  .stage > article { padding: 20px; }
  #steps { display: none; }
  #moves { position: sticky; bottom: -16px; padding: 8px 0 16px; background: var(--card); }
  .stage:not(:has(.pages)) > iframe { min-height: 160px; }
}
/* large letters on small windows, and pages without scripts on phones: everything below one another */
@media (max-height: 480px), (max-width: 760px) and (scripting: none) {
  body { display: block; height: auto; }
  main { display: block; }
  .stage { height: 70vh; min-height: 240px; }
  .panel { max-height: none; border-radius: 0; }
}
`

/** Reports that somebody sees the page, once it is shown. */
export const viewedScript = `
const seen = () => {
  if (document.visibilityState !== 'visible') return
  document.removeEventListener('visibilitychange', seen)
  navigator.sendBeacon(location.pathname.replace(/\\/$/, '') + '/viewed')
}
document.addEventListener('visibilitychange', seen)
seen()
`

/** Removes what the device keeps of a form that is over, by the name that its page says. */
export const forgetScript = `
try { localStorage.removeItem('perennial-sign:' + document.querySelector('[data-kept]').dataset.kept) } catch {}
`
