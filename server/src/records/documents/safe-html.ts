import sanitizeHtml from 'sanitize-html'
import { imageAddress } from '../../kit/ground/image-address.ts'

const widths = ['w-*']
const sides = ['align-center', 'align-right']

/**
 * Untrusted HTML without anything that could run, load or navigate away. What the editor of documents writes stays:
 * pictures of documents, lists to tick, widths, page breaks, places for signatures, and both sides of a choice.
 */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'del', 'ins', 'img'],
    allowedAttributes: {
      a: ['href'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
      ol: ['start'],
      img: ['src', 'alt'],
      span: ['data-place'],
      div: ['data-by'],
    },
    allowedClasses: {
      img: widths,
      td: [...widths, ...sides],
      th: [...widths, ...sides],
      ul: ['task'],
      li: ['done'],
      hr: ['page-break'],
      div: ['choice', 'side'],
      ...Object.fromEntries(['p', 'h1', 'h2', 'h3'].map((tag) => [tag, sides])),
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !imageAddress.test(attribs.src ?? ''),
    disallowedTagsMode: 'discard',
    nestingLimit: 50,
  })
}
