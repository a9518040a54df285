/** What takes the place of a customer's name. */
const instead = 'the customer'

/** The end of a firm's name that people leave out. */
const legalForm =
  /[\s,]+(ag|ab|as|bv|b\.v\.|co|corp|corporation|gmbh|inc|inc\.|kg|llc|ltd|ltd\.|limited|nv|oy|plc|sa|s\.a\.|sarl|sas|se|spa|s\.p\.a\.|srl)\.?$/i

/** A first word of so many letters is taken for a name by itself. */
const shortest = 4

/** The forms in which texts may have the names of a customer, the longest first. */
export function formsOf(names: string[]): string[] {
  const forms = names.flatMap((name) => {
    const whole = name.trim()
    const short = whole.replace(legalForm, '')
    const [first = ''] = short.split(/[\s,]+/)
    return [whole, short, first.length >= shortest ? first : '']
  })
  return [...new Set(forms.filter(Boolean))].toSorted((a, b) => b.length - a.length)
}

/** Replaces names in texts as whole words, in any case, and counts the texts that had each. */
export class Replacement {
  readonly counts = new Map<string, number>()
  readonly #patterns: [name: string, pattern: RegExp][]

  constructor(forms: string[]) {
    this.#patterns = forms.map((name) => {
      const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      return [name, new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu')]
    })
  }

  /** A text without the names. */
  of(text: string): string {
    let result = text
    for (const [name, pattern] of this.#patterns) {
      const before = result
      result = result.replaceAll(pattern, (_, at: number) =>
        at === 0 ? instead.charAt(0).toUpperCase() + instead.slice(1) : instead,
      )
      if (result !== before) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    }
    return result
  }
}
