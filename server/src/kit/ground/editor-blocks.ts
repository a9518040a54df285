import { escapeHtml } from './html.ts'

type Data = { [field: string]: unknown }
type Block = { type?: unknown; data?: Data }

/**
 * The blocks of Editor.js as HTML, which must still be sanitized. Nothing that somebody wrote is left out: of blocks
 * that are not known here, all texts are paragraphs.
 */
export function blocksAsHtml(content: { [field: string]: unknown }): string {
  const blocks = Array.isArray(content.blocks) ? (content.blocks as Block[]) : []
  return blocks.map((block) => blockAsHtml(block ?? {})).join('\n')
}

function blockAsHtml({ type, data }: Block): string {
  const its: Data = typeof data === 'object' && data ? data : {}
  const text = textIn(its.text)
  switch (type) {
    case 'paragraph':
      return text ? `<p>${text}</p>` : ''
    case 'header': {
      // the page's own title is the first
      const level = Math.min(6, Math.max(2, Number(its.level) || 2))
      return `<h${level}>${text}</h${level}>`
    }
    case 'list':
      return listOf(its.items, its.style)
    case 'checklist':
      return listOf(its.items, 'checklist')
    case 'quote': {
      const caption = textIn(its.caption)
      return `<blockquote><p>${text}</p>${caption ? `<p>${caption}</p>` : ''}</blockquote>`
    }
    case 'code':
      return `<pre>${escapeHtml(textIn(its.code))}</pre>`
    case 'raw':
      return textIn(its.html)
    case 'delimiter':
      return '<hr>'
    case 'table': {
      const rows = listIn(its.content)
      const cells = (row: unknown, tag: string) =>
        listIn(row)
          .map((cell) => `<${tag}>${textIn(cell)}</${tag}>`)
          .join('')
      const shown = rows.map(
        (row, at) => `<tr>${cells(row, its.withHeadings && at === 0 ? 'th' : 'td')}</tr>`,
      )
      return `<table>${shown.join('')}</table>`
    }
    default: {
      const texts = textsIn(its)
      return texts.map((each) => `<p>${linked(each)}</p>`).join('')
    }
  }
}

/** A list of Editor.js in any of its versions: items are texts, or objects with their own items. */
function listOf(items: unknown, style: unknown, depth = 0): string {
  const isTask = style === 'checklist'
  const tag = style === 'ordered' ? 'ol' : 'ul'
  const shown = listIn(items).map((item) => {
    const {
      content,
      text,
      checked,
      meta,
      items: inner,
    } = (typeof item === 'object' && item ? item : {}) as Data
    const isDone = Boolean(checked ?? (meta as Data | null | undefined)?.checked)
    const own = textIn(typeof item === 'string' ? item : (content ?? text))
    const nested = listIn(inner).length && depth < 20 ? listOf(inner, style, depth + 1) : ''
    return `<li${isTask && isDone ? ' class="done"' : ''}>${own}${nested}</li>`
  })
  return `<${tag}${isTask ? ' class="task"' : ''}>${shown.join('')}</${tag}>`
}

/** All texts in a value, in its order. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() ? [value] : []
  if (typeof value !== 'object' || !value || depth > 8) return []
  const inner: unknown[] = Object.values(value)
  return inner.flatMap((each) => textsIn(each, depth + 1))
}

/** An address as a link, another text as it is. */
function linked(text: string): string {
  if (!/^https?:\/\/\S+$/.test(text)) return text
  const address = escapeHtml(text)
  return `<a href="${address}">${address}</a>`
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
