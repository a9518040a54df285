import { createElement, Fragment, type ReactNode } from 'react'
import { imageAddress } from '../../../server/src/kit/ground/image-address.ts'
import written from './written.module.css'
import styles from './html.module.css'
import { t } from '../locales/text.ts'

/**
 * Untrusted HTML, or plain text, as React elements: only allowed elements are created,
 * without attributes except the address of a link, so that nothing in it can run or load.
 */
export function Html({
  html,
  mentions = [],
  isDocument = false,
}: {
  html: string
  mentions?: readonly string[]
  /** a written document: headings are headings, and its pictures, lists to tick and places for signatures stay */
  isDocument?: boolean
}) {
  // a parsed document runs no scripts and loads nothing
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const of: Of = { mentions, isDocument }
  return <div className={isDocument ? written.written : styles.html}>{childrenOf(body, of)}</div>
}

type Of = { mentions: readonly string[]; isDocument: boolean }

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

function childrenOf(node: Node, of: Of, depth = 0): ReactNode[] {
  if (depth > deepest) return [node.textContent]
  return [...node.childNodes].map((child, at) => (
    // parsed anew for each text, its nodes never change their order
    <Fragment key={at}>{built(child, of, depth)}</Fragment>
  ))
}

function built(node: Node, of: Of, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return withLinks(node)
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (dropped.has(name)) return null
  if (of.isDocument && ownParts.has(name)) return ofDocument(node, of, depth)
  if (name === 'br' || name === 'hr') return createElement(name)
  const inside = childrenOf(node, of, depth + 1)
  if (!allowed.has(name)) return inside
  if (name === 'a') return <Outward href={node.getAttribute('href') ?? ''}>{inside}</Outward>
  if (name === 'span') {
    const text = node.textContent ?? ''
    return of.mentions.includes(text.replace(/^@/, '')) ? (
      <span className={styles.mention}>{text}</span>
    ) : (
      inside
    )
  }
  // headings in a comment must not be headings of the page
  if (/^h[1-4]$/.test(name)) return <p className={styles.heading}>{inside}</p>
  return createElement(name, null, ...inside)
}

const ownParts = new Set('img hr h1 h2 h3 h4 h5 h6 td th p div span ul li'.split(' '))
const ownClasses = /^(w-(25|50|75|100)|align-(center|right)|task|page-break|choice|side)$/

/** An element of a written document, with the classes and attributes that these have. */
function ofDocument(node: Element, of: Of, depth: number): ReactNode {
  const name = node.localName
  const className =
    [...node.classList].filter((each) => ownClasses.test(each)).join(' ') || undefined
  if (name === 'hr') return <hr className={className} />
  if (name === 'img') {
    const src = node.getAttribute('src') ?? ''
    const alt = node.getAttribute('alt') ?? ''
    return imageAddress.test(src) ? (
      <img src={src} alt={alt} className={className} loading="lazy" />
    ) : (
      alt
    )
  }
  const inside = childrenOf(node, of, depth + 1)
  const level = Number(/^h([1-6])$/.exec(name)?.[1])
  // the page has a heading of its own above
  if (level)
    return createElement(
      `h${Math.min(6, level + 1)}`,
      { className, 'data-level': level },
      ...inside,
    )
  if (name === 'span') {
    const whose = node.getAttribute('data-place')
    return whose === null ? inside : <span data-place={whose}>{whose}</span>
  }
  if (name === 'li' && node.parentElement?.classList.contains('task')) {
    const isDone = node.classList.contains('done')
    return (
      <li>
        <input
          type="checkbox"
          checked={isDone}
          disabled
          aria-label={isDone ? t('Done') : t('Not done')}
        />
        <div>{inside}</div>
      </li>
    )
  }
  const spans = ['colspan', 'rowspan'].map((each) => Number(node.getAttribute(each)) || undefined)
  const isCell = name === 'td' || name === 'th'
  return createElement(
    name,
    { className, ...(isCell ? { colSpan: spans[0], rowSpan: spans[1] } : {}) },
    ...inside,
  )
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
