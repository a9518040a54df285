import { escapeHtml } from './html.ts'

/** HTML that is safe to send: built by `html`, or vouched for by `raw`. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes: texts are escaped; false, null and undefined are left out. */
type Value = Html | string | number | boolean | null | undefined | readonly Value[]

/** HTML from a template, in which every value is escaped that is not HTML itself. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const parts = strings.map((text, i) => (i < values.length ? text + shown(values[i]) : text))
  return new Html(parts.join(''))
}

/** A text as HTML, unescaped: only for what the service itself has written or made safe. */
export function raw(text: string): Html {
  return new Html(text)
}

function shown(value: Value): string {
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return typeof value === 'object' && value !== null ? value.map(shown).join('') : ''
}
