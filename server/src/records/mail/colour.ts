/** A colour as `#rrggbb`; undefined for other texts. `#abc` is `#aabbcc`. */
export function hexColour(text: string | null | undefined): string | undefined {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text?.trim() ?? '') ?? []
  if (short) return `#${short.replaceAll(/./g, '$&$&')}`.toLowerCase()
  return long ? `#${long.toLowerCase()}` : undefined
}

/** Black or white, whichever is easier to read on a colour; the better one has 4.5 : 1 on any. */
export function textOn(colour: string): string {
  return contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000'
}

/**
 * The colour itself if text in it has a contrast of `least` : 1 on a background, else the same mixed with black or
 * white until it has.
 */
export function readableOn(colour: string, ground: string, least = 4.5): string {
  const towards = textOn(ground)
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = mix(colour, towards, part)
    if (contrast(mixed, ground) >= least) return mixed
  }
  return towards
}

/** The contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes a share of the second colour into the first. */
export function mix(one: string, other: string, part: number): string {
  const others = channels(other)
  const mixed = channels(one).map((each, i) => each + ((others[i] ?? 0) - each) * part)
  return `#${mixed.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((each) => {
    const part = each / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
}
