import type { Draft } from '../../data/comments.ts'

/** Text that is not sent yet: it survives leaving the page and a sign-out, but not closing the tab. */
export type Typed = Omit<Draft, 'is_shared' | 'is_private'> & { audience?: Audience }

/** Who sees a comment. */
export type Audience = 'team' | 'customer' | 'private'

export const nothing: Typed = { content: '', mentions: [], attachments: [] }

/** Whether there is nothing to send. */
export function isBlank({ content, attachments }: Typed): boolean {
  return textIn(content).trim() === '' && attachments.length === 0
}

/** HTML as the text of a plain box, from which `htmlOf` makes the same HTML. */
export function textIn(html: string): string {
  return html
    .replaceAll('<br>', '\n')
    .replaceAll('</p><p>', '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The draft of a box. */
export function readDraft(name: string): Typed {
  try {
    const stored = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Partial<Typed> | null
    return { ...nothing, ...stored }
  } catch {
    return nothing
  }
}

/** Stores the draft of a box; removes it if empty. */
export function writeDraft(name: string, typed: Typed): void {
  try {
    if (isBlank(typed)) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(typed))
  } catch {
    // if the storage is full, the draft just does not survive leaving the page
  }
}

/** Plain text as the HTML that shows exactly that text: paragraphs and lines. */
export function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
}
