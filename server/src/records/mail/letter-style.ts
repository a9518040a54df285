import { raw } from '../../kit/ground/html-template.ts'
import { mix, readableOn, textOn } from './colour.ts'

/** The product's colour, if an organization has chosen none. */
const usual = '#14704c'

/** The colours of a mail: the bar at the top, the button, and the text on the button. */
export function ownColours(colour: string | null) {
  const bar = colour ?? usual
  return { bar, action: bar, onAction: textOn(bar) }
}

/** The dark scheme, for mail programs that support it; others ignore it. */
export function letterStyle(colour: string | null) {
  // a button as dark as the card would be invisible
  const action = readableOn(colour ?? mix(usual, '#ffffff', 0.4), '#18211d', 3)
  return raw(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .pad { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: #0f1613 !important; color: #e9f0ec !important; }
  .card { background: #18211d !important; color: #e9f0ec !important; }
  .ink { color: #e9f0ec !important; }
  .quiet { color: #a5b4ac !important; }
  .quote { background: #0f1613 !important; }
  .line { border-color: #2e3b35 !important; }
  .logo { background: #ffffff; padding: 6px; border-radius: 6px; }
  .main { background: ${action} !important; border-color: ${action} !important; color: ${textOn(action)} !important; }
  .other { color: #e9f0ec !important; border-color: #71837a !important; }
}
</style>`)
}
