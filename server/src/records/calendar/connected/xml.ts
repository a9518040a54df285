import sax from 'sax'
import { RemoteError } from './remote.ts'

/** An element of an answer by its local name. */
export type Element = {
  name: string
  attributes: { [name: string]: string }
  text: string
  inside: Element[]
}

/** The maximum number of elements of an answer. */
const mostElements = 200_000

/** Reads an XML answer (RFC 4918); a `RemoteError` for what is none. */
export function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', inside: [] }
  const open = [root]
  let count = 0
  const parser = sax.parser(true, { xmlns: false, trim: false })
  parser.onopentag = ({ name, attributes }) => {
    if (++count > mostElements || open.length > 50) {
      throw new RemoteError('too_large', 'The answer has too many elements')
    }
    const element: Element = {
      name: name.replace(/^.*:/, '').toLowerCase(),
      attributes: attributes as { [name: string]: string },
      text: '',
      inside: [],
    }
    open.at(-1)?.inside.push(element)
    open.push(element)
  }
  const add = (piece: string) => {
    const last = open.at(-1)
    if (last) last.text += piece
  }
  parser.ontext = add
  parser.oncdata = add
  parser.onclosetag = () => void open.pop()
  parser.onerror = (error) => {
    throw new RemoteError('unexpected', `The answer is no XML: ${error.message.slice(0, 100)}`)
  }
  parser.write(text).close()
  return root
}

/** The elements at a path of names, such as `find(root, 'multistatus', 'response')`. */
export function find(element: Element, ...path: string[]): Element[] {
  return path.reduce(
    (found, name) => found.flatMap((each) => each.inside.filter((one) => one.name === name)),
    [element],
  )
}

/** The text at a path; empty where there is none. */
export function textAt(element: Element, ...path: string[]): string {
  return find(element, ...path)[0]?.text.trim() ?? ''
}

/** A text as part of XML. */
export function xmlText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
