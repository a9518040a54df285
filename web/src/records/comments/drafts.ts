import type { Draft } from '../../data/comments.ts'

/** What is typed and not sent yet: it outlives the page and a sign-out, not the browser's tab. */
export type Typed = Omit<Draft, 'is_shared' | 'is_private'> & { audience?: Audience }

/** Who sees a comment. */
export type Audience = 'team' | 'customer' | 'private'

export const nothing: Typed = { content: '', mentions: [], attachments: [] }

/** Whether there is nothing to send. */
export function isBlank({ content, attachments }: Typed): boolean {
  return textIn(content).trim() === '' && attachments.length === 0
}

/** What HTML says as the text of a box, which `htmlOf` makes the same HTML of. */
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

/** What was typed into a box. */
export function readDraft(name: string): Typed {
  try {
    const stored = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Partial<Typed> | null
    return { ...nothing, ...stored }
  } catch {
    return nothing
  }
}

/** Stores what is typed into a box; nothing where it is empty. */
export function writeDraft(name: string, typed: Typed): void {
  try {
    if (isBlank(typed)) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(typed))
  } catch {
    // a full storage loses only the draft's second life
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
