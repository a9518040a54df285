import { createElement, Fragment, type ReactNode } from 'react'
import styles from './html.module.css'

/**
 * Untrusted HTML, or plain text, as React elements: only allowed elements are created,
 * without attributes except the address of a link, so that nothing in it can run or load.
 */
export function Html({ html, mentions = [] }: { html: string; mentions?: readonly string[] }) {
  // a parsed document runs no scripts and loads nothing
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <div className={styles.html}>{childrenOf(body, mentions)}</div>
}

/** Only the text of HTML, on one line. */
export function htmlText(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<(\/p|br|\/li)>/g, ' $&'),
    'text/html',
  )
  return (body.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

const allowed = new Set(
  'b i u s em strong p br ul ol li code pre blockquote span small a del ins h1 h2 h3 h4 hr table thead tbody tr td th'.split(
    ' ',
  ),
)
/** Elements that are left out with all their contents; of other unknown elements the text stays. */
const dropped = new Set(
  'script style template iframe object embed noscript svg math head title'.split(' '),
)

/** The maximum nesting of elements. */
const deepest = 40

function childrenOf(node: Node, mentions: readonly string[], depth = 0): ReactNode[] {
  if (depth > deepest) return [node.textContent]
  return [...node.childNodes].map((child, at) => (
    // parsed anew for each text, its nodes never change their order
    <Fragment key={at}>{built(child, mentions, depth)}</Fragment>
  ))
}

function built(node: Node, mentions: readonly string[], depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return withLinks(node)
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (dropped.has(name)) return null
  if (name === 'br' || name === 'hr') return createElement(name)
  const inside = childrenOf(node, mentions, depth + 1)
  if (!allowed.has(name)) return inside
  if (name === 'a') return <Outward href={node.getAttribute('href') ?? ''}>{inside}</Outward>
  if (name === 'span') {
    const text = node.textContent ?? ''
    return mentions.includes(text.replace(/^@/, '')) ? (
      <span className={styles.mention}>{text}</span>
    ) : (
      inside
    )
  }
  // headings in a comment must not be headings of the page
  if (/^h[1-4]$/.test(name)) return <p className={styles.heading}>{inside}</p>
  return createElement(name, null, ...inside)
}

/** Turns addresses in a text into links. */
function withLinks(node: Node): ReactNode {
  const text = node.textContent ?? ''
  const isIndent = text.trim() === '' && text.includes('\n') && node.parentElement?.children.length
  if (isIndent) return null
  if (node.parentElement?.closest('a, code, pre')) return text
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
  return pieces.map((piece, at) =>
    at % 2 ? (
      <Outward key={at} href={piece}>
        {piece}
      </Outward>
    ) : (
      piece
    ),
  )
}

function Outward({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  )
}
