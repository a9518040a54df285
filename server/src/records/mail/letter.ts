import { html } from 'hono/html'
import type { Mail } from './mail.ts'

/** The content of a mail, in the order in which it is read. */
export type Letter = {
  subject: string
  paragraphs: string[]
  /** the button that the mail is about */
  action?: { label: string; url: string }
  /** why the recipient receives this, and what to do about a mistake */
  note: string
}

/** A mail's subject and its content, both as plain text and as simple HTML. */
export async function letter(content: Letter): Promise<Pick<Mail, 'subject' | 'text' | 'html'>> {
  const { paragraphs, action, note } = content
  const subject = content.subject.replaceAll(/\s+/g, ' ')
  const text = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), note]
  const button =
    'display:inline-block;padding:12px 20px;background:#14704c;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600'
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;background:#f3f6f4;color:#17211c;font:16px/1.5 sans-serif">
        <div style="max-width:520px;margin:0 auto;padding:28px;background:#ffffff">
          ${paragraphs.map((each) => html`<p style="white-space:pre-line">${each}</p>`)}
          ${
            action
              ? html`<p><a href="${action.url}" style="${button}">${action.label}</a></p>
                  <p style="color:#55635c;font-size:14px;word-break:break-all">${action.url}</p>`
              : ''
          }
          <p style="color:#55635c;font-size:14px">${note}</p>
        </div>
      </body>
    </html>`
  return { subject, text: `${text.join('\n\n')}\n`, html: String(await page) }
}
