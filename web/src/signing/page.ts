import type { Condition } from '../../../server/src/model/documents/requests/conditions.ts'

/** A field of the document's pages, with its place as parts of the page, and when it is asked for. */
export type Place = {
  page: number
  x: number
  y: number
  width: number
  height: number
  kind: string
  key?: string
  show_if?: Condition
}

/** What the page tells its script. */
export type About = {
  /** what is kept on the device is kept under it */
  key: string
  /** the address of the PDF, and of the script that draws it; null for what is no PDF */
  pdf: { file: string; drawing: string } | null
  fields: Place[]
  /** what others have filled in; a signature may be one of those that were drawn */
  others: (Place & { value: string; name: string; drawn: number | null })[]
  /** the paths of drawn signatures */
  drawn: string[]
  /** the day that dates are filled in with */
  day: string
  /** the address that e-mail fields are filled in with */
  email: string
  words: { [name: string]: string }
}

/** An element of the page that has to be there. */
export function find<E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E {
  const element = within.querySelector<E>(selector)
  if (!element) throw new Error(`The page has no ${selector}`)
  return element
}

/** A new element with a class, and what is in it. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...inside)
  return element
}

/** A button that submits nothing. */
export function button(
  className: string,
  run: () => void,
  ...inside: (Node | string)[]
): HTMLButtonElement {
  const element = make('button', className, ...inside)
  element.type = 'button'
  element.addEventListener('click', run)
  return element
}

/** Path data of a signature as a picture. */
export function drawing(path: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 600 200')
  svg.setAttribute('class', 'pen')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

/** A message with its values. */
export function say(
  { words }: About,
  name: string,
  values: { [name: string]: string | number } = {},
): string {
  return (words[name] ?? name).replaceAll(/\{(\w+)\}/g, (whole, key: string) =>
    String(values[key] ?? whole),
  )
}
