import { parseDocument } from 'htmlparser2'

/** A part of a text: characters, or an element with what is in it. */
export type Node = {
  /** empty for characters */
  name: string
  text: string
  attributes: { [name: string]: string }
  children: Node[]
}

type Parsed = {
  type: string
  name?: string
  data?: string
  attribs?: { [name: string]: string }
  children?: unknown[]
}

/** Safe HTML as a tree, without comments; what lies deeper than 60 elements is its text alone. */
export function treeOf(html: string): Node[] {
  return nodesOf(parseDocument(html).children as unknown as Parsed[], 0)
}

function nodesOf(parsed: Parsed[], depth: number): Node[] {
  return parsed.flatMap((each): Node[] => {
    const { name = '', attribs = {}, children = [] } = each
    if (each.type === 'text')
      return [{ name: '', text: each.data ?? '', attributes: {}, children: [] }]
    if (!name) return []
    const inner = children as Parsed[]
    if (depth > 60)
      return nodesOf(
        inner.filter(({ type }) => type === 'text'),
        depth,
      )
    return [{ name, text: '', attributes: attribs, children: nodesOf(inner, depth + 1) }]
  })
}

/** Whether an element has a class. */
export function hasClass({ attributes }: Node, name: string): boolean {
  return (attributes.class ?? '').split(' ').includes(name)
}

/** The width that a class states (`w-25`), as a part of the whole; undefined without one. */
export function partOf({ attributes }: Node): number | undefined {
  const percent = Number(/(?:^| )w-(\d{1,3})(?: |$)/.exec(attributes.class ?? '')?.[1])
  return percent >= 1 && percent <= 100 ? percent / 100 : undefined
}

/** All characters in nodes. */
export function textIn(nodes: Node[]): string {
  return nodes.map(({ name, text, children }) => (name ? textIn(children) : text)).join('')
}
