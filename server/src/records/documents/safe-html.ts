import sanitizeHtml from 'sanitize-html'

/** HTML that somebody wrote, without anything that could run, load or navigate away. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'del', 'ins'],
    allowedAttributes: { a: ['href'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    disallowedTagsMode: 'discard',
    nestingLimit: 50,
  })
}
