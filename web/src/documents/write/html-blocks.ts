import { getSchema } from '@tiptap/core'
import type { Node as PmNode, Schema } from '@tiptap/pm/model'
import { DOMParser as Parser, DOMSerializer } from '@tiptap/pm/model'
import { extensions } from './extensions.ts'
import { attributeOf } from './node-views.ts'

let schema: Schema | undefined

function ownSchema(): Schema {
  return (schema ??= getSchema(extensions))
}

const known = new WeakMap<PmNode, string>()

/** The blocks of a document as HTML; what did not change since is not written again. */
export function blocksOf(doc: PmNode): string[] {
  const blocks: string[] = []
  doc.forEach((node) => {
    const html = known.get(node) ?? htmlOf(node)
    known.set(node, html)
    blocks.push(html)
  })
  return blocks
}

function htmlOf(node: PmNode): string {
  const box = document.createElement('div')
  box.append(DOMSerializer.fromSchema(node.type.schema).serializeNode(node))
  // in the text that is stored a placeholder is characters, wherever it stands
  for (const span of box.querySelectorAll('span[data-value]')) {
    span.replaceWith(span.textContent ?? '')
  }
  return box.innerHTML
}

/** HTML as the nodes of a document; placeholders become values. */
export function docOf(html: string, of: Schema = ownSchema()): PmNode {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  markValues(body)
  return Parser.fromSchema(of).parse(body)
}

/** The blocks of stored HTML, as the editor writes them. */
export function normalBlocks(html: string): string[] {
  const blocks = blocksOf(docOf(html))
  // a document without anything is one empty paragraph
  return blocks.length === 1 && blocks[0] === '<p></p>' ? [] : blocks
}

const pattern = /\{\{([^{}]{1,500})\}\}/

function markValues(root: HTMLElement) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    if (text.data.includes('{{') && !text.parentElement?.closest('pre, code, [data-value]'))
      texts.push(text)
  }
  for (let text of texts) {
    for (let found = pattern.exec(text.data); found; found = pattern.exec(text.data)) {
      const span = document.createElement('span')
      span.dataset.value = (found[1] ?? '').trim()
      const rest = text.splitText(found.index)
      text = rest.splitText(found[0].length)
      rest.replaceWith(span)
    }
  }
}

/** The placeholders in a document, each once. */
export function valuesIn(doc: PmNode): string[] {
  const found = new Set<string>()
  doc.descendants((node) => {
    if (node.type.name === 'value') found.add(attributeOf(node, 'inner'))
  })
  return [...found]
}
