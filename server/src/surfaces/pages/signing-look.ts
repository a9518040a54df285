/** The style of the signing page, added to that of all pages. */
export const signingStyle = `
main { max-width: 820px; }
.sheet { display: block; width: 100%; margin: 16px 0; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
iframe.sheet { height: 60vh; min-height: 320px; }
img.sheet { height: auto; }
article.sheet { max-height: 60vh; overflow: auto; padding: 16px 20px; overflow-wrap: anywhere; }
article.sheet > :first-child { margin-top: 0; }
article.sheet > :last-child { margin-bottom: 0; }
article.sheet table { border-collapse: collapse; display: block; overflow-x: auto; }
article.sheet td, article.sheet th { border: 1px solid var(--line); padding: 4px 8px; }
.draw .label { margin: 16px 0 6px; font-weight: 600; font-size: 15px; }
.draw svg { display: block; width: 100%; max-width: 600px; aspect-ratio: 3; border: 1px dashed var(--edge); border-radius: 10px; background: #ffffff; touch-action: none; cursor: crosshair; }
.draw path { fill: none; stroke: #17211c; stroke-width: 4; stroke-linecap: round; stroke-linejoin: round; }
label.agree { align-items: flex-start; }
label.agree input { margin-top: 2px; }
fieldset.placed { margin: 20px 0 0; padding: 0 16px 16px; border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
fieldset.placed legend { padding: 0 6px; font-weight: 600; font-size: 15px; }
details { margin-top: 24px; border-top: 1px solid var(--line); padding-top: 12px; }
summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; color: var(--quiet); text-decoration: underline; text-underline-offset: 3px; }
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

/** Lets a name be drawn with finger, pen or mouse: strokes as path data in a box of 600 × 200. */
export const signingScript = `
const box = document.querySelector('.draw')
const svg = box.querySelector('svg')
const path = svg.querySelector('path')
const field = document.getElementById('signature')
let down = false
const at = (event) => {
  const { left, top, width, height } = svg.getBoundingClientRect()
  const x = Math.round(Math.min(600, Math.max(0, ((event.clientX - left) / width) * 600)))
  const y = Math.round(Math.min(200, Math.max(0, ((event.clientY - top) / height) * 200)))
  return x + ' ' + y
}
const draw = (step) => {
  if (field.value.length > 19000) return
  field.value += step
  path.setAttribute('d', field.value)
}
box.hidden = false
svg.addEventListener('pointerdown', (event) => {
  down = true
  svg.setPointerCapture(event.pointerId)
  draw('M' + at(event))
})
svg.addEventListener('pointermove', (event) => { if (down) draw('L' + at(event)) })
for (const name of ['pointerup', 'pointercancel']) svg.addEventListener(name, () => { down = false })
document.getElementById('clear').addEventListener('click', () => {
  field.value = ''
  path.setAttribute('d', '')
})
`
