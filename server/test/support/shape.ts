import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { parse as parseCsv } from 'csv-parse/sync'
import type { DefaultTreeAdapterMap } from 'parse5'
import { defaultTreeAdapter, parse } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

/** What a document is made of, without the texts in it: two that differ in texts alone are equal. */
export type Shape = string[]

/** Schemes to which links and forms of our pages and mails may lead. */
const schemes = /^(https?:\/\/|mailto:|\/|\?|#|data:image\/svg\+xml,%3Csvg)/

/**
 * The elements of a page with the names of their attributes, and its styles and scripts to the
 * letter, as a browser would build them (parse5, the HTML standard). Nothing may run by an attribute
 * or lead to another scheme.
 */
export function shapeOfHtml(html: string): Shape {
  const shape: Shape = []
  const visit = (node: Node, path: string) => {
    if (!defaultTreeAdapter.isElementNode(node)) {
      for (const child of childrenOf(node)) visit(child, path)
      return
    }
    const element: Element = node
    const { attrs, tagName } = element
    for (const { name, value } of attrs) {
      assert.doesNotMatch(name, /^on|^srcdoc$/, `${tagName} ${name}="${value}"`)
      if (/^(href|src|action|formaction)$/.test(name)) assert.match(value, schemes, tagName)
    }
    const here = `${path}/${tagName}[${attrs.map(({ name }) => name).toSorted()}]`
    // a style attribute and the content of a style or script are ours alone
    const style = attrs.find(({ name }) => name === 'style')?.value ?? ''
    const raw = /^(style|script)$/.test(tagName) ? textOf(element) : ''
    shape.push(`${here} ${style} ${raw}`)
    for (const child of childrenOf(element)) visit(child, here)
  }
  visit(parse(html), '')
  return shape
}

/** The texts and attribute values of a page, as a reader finds them. */
export function wordsOf(html: string): string {
  const words: string[] = []
  const visit = (node: Node) => {
    if (defaultTreeAdapter.isTextNode(node)) words.push(node.value)
    if (defaultTreeAdapter.isElementNode(node)) words.push(...node.attrs.map(({ value }) => value))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parse(html))
  return words.join('\n')
}

function childrenOf(node: Node): Node[] {
  return 'childNodes' in node ? node.childNodes : []
}

function textOf(node: Node): string {
  return childrenOf(node)
    .map((child) => (defaultTreeAdapter.isTextNode(child) ? child.value : ''))
    .join('')
}

/**
 * A content security policy as a browser reads it: one policy, each directive once, with sources of
 * the grammar. Hashes, which differ with the page's style, are left out.
 */
export function directivesOf(policy: string): { [directive: string]: string[] } {
  assert.doesNotMatch(policy, /,/, 'a comma begins another policy')
  const found: { [directive: string]: string[] } = {}
  for (const part of policy.split(';').map((each) => each.trim())) {
    const [name = '', ...sources] = part.split(/\s+/)
    assert.match(name, /^[a-z]+(-[a-z]+)*$/, policy)
    assert.ok(!(name in found), `${name} twice: ${policy}`)
    for (const source of sources) {
      assert.match(
        source,
        /^('none'|'self'|'sha256-[\w+/=]+'|\*|[a-z]+:(\/\/[a-z0-9.-]+(:\d+)?)?)$/,
      )
    }
    found[name] = sources.filter((source) => !source.startsWith("'sha256-"))
  }
  return found
}

/** The components of a calendar with the names of their properties and parameters (RFC 5545). */
export function shapeOfCalendar(text: string): Shape {
  for (const line of text.split(/\r?\n/)) assert.doesNotMatch(line, /[\r\n]/)
  const shape: Shape = []
  const visit = (component: ICAL.Component, path: string) => {
    const here = `${path}/${component.name}`
    for (const property of component.getAllProperties()) {
      const parameters = Object.keys(property.toJSON()[1] as object).toSorted()
      shape.push(`${here} ${property.name} ${parameters}`)
    }
    if (component.name === 'vtimezone') return
    for (const inner of component.getAllSubcomponents()) visit(inner, here)
  }
  visit(new ICAL.Component(ICAL.parse(text)), '')
  return shape
}

/** The number of cells of each row; no cell may begin as a formula would (CWE-1236). */
export function shapeOfTable(text: string): Shape {
  const rows = parseCsv(text, { bom: true, relax_column_count: true }) as string[][]
  for (const cell of rows.flat()) assert.doesNotMatch(cell, /^[\s\u200b]*[=+\-@\t\r\n＝＋－＠]/u)
  return rows.map((row) => String(row.length))
}
