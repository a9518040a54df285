import { contrast, mix, readableOn, textOn } from '../../records/mail/colour.ts'
import type { Brand } from '../../records/mail/brand.ts'

/** The cards of the two schemes, as in `style.ts`, and the backgrounds of coloured text. */
const schemesOf = [
  { card: '#ffffff', tint: '#e8f5ee' },
  { card: '#161d19', tint: '#16322a' },
]

/**
 * The organization's colour instead of the product's: unchanged on the main button, elsewhere as much darker or
 * lighter as readable text needs. Empty if the organization has chosen none.
 */
export function brandStyle(brand: Brand | undefined): string {
  const colour = brand?.colour
  if (!colour) return ''
  const schemes = schemesOf.map(({ card, tint }) => {
    const action = contrast(colour, card) < 1.2 ? readableOn(colour, card, 3) : colour
    const text = textOn(action)
    return `:root { --accent: ${readableOn(colour, tint)}; --action: ${action}; --on-action: ${text};
  --action-down: ${mix(action, text === '#ffffff' ? '#000000' : '#ffffff', 0.15)};
  --action-edge: ${readableOn(action, card, 3)}; }`
  })
  const [light = '', dark = ''] = schemes
  return `${light}\n@media (prefers-color-scheme: dark) { ${dark} }\n`
}
