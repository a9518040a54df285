import { escapeHtml } from '../../kit/ground/html.ts'

type Block = { type?: unknown; data?: { [field: string]: unknown } }

/** The blocks of Editor.js as HTML, which must still be sanitized. */
export function blocksAsHtml(content: { [field: string]: unknown }): string {
  const blocks = Array.isArray(content.blocks) ? (content.blocks as Block[]) : []
  return blocks.map((block) => blockAsHtml(block ?? {})).join('\n')
}

function blockAsHtml({ type, data = {} }: Block): string {
  const text = textIn(data.text)
  switch (type) {
    case 'header': {
      // the page's own title is the first
      const level = Math.min(6, Math.max(2, Number(data.level) || 2))
      return `<h${level}>${text}</h${level}>`
    }
    case 'list': {
      const tag = data.style === 'ordered' ? 'ol' : 'ul'
      return `<${tag}>${itemsIn(data.items).join('')}</${tag}>`
    }
    case 'checklist':
      return `<ul>${itemsIn(data.items).join('')}</ul>`
    case 'quote':
      return `<blockquote>${text}</blockquote>`
    case 'code':
      return `<pre>${escapeHtml(String(data.code ?? ''))}</pre>`
    case 'delimiter':
      return '<hr>'
    case 'table': {
      const rows: unknown[] = Array.isArray(data.content) ? data.content : []
      const cells = (row: unknown) =>
        (Array.isArray(row) ? row : []).map((cell: unknown) => `<td>${textIn(cell)}</td>`).join('')
      return `<table>${rows.map((row: unknown) => `<tr>${cells(row)}</tr>`).join('')}</table>`
    }
    default:
      return text ? `<p>${text}</p>` : ''
  }
}

function itemsIn(items: unknown): string[] {
  return (Array.isArray(items) ? items : []).map((item: unknown) => {
    const { content, text } = (typeof item === 'object' && item ? item : {}) as {
      [field: string]: unknown
    }
    return `<li>${textIn(typeof item === 'string' ? item : (content ?? text))}</li>`
  })
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
