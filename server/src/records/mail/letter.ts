import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { headerText } from '../../kit/ground/one-line.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Brand } from './brand.ts'
import { letterStyle, ownColours } from './letter-style.ts'
import type { Mail } from './mail.ts'

/** The content of a mail, in the order in which it is read. */
export type Letter = {
  subject: string
  /** the name in the greeting */
  name?: string
  paragraphs: string[]
  /** facts with labels: the project, a date */
  facts?: { label: string; value: string }[]
  /** what somebody wrote */
  quote?: string
  /** what is new, each with the link that opens it */
  entries?: { title: string; text?: string; url: string }[]
  /** numbers as a table; `part` is how long the bar of a row is, from 0 to 1 */
  figures?: { columns: string[]; rows: { cells: string[]; part: number }[] }
  /** the main button, and others beside it */
  actions?: { label: string; url: string }[]
  /** why the recipient receives this, and what to do if it is a mistake */
  note: string
  /** links below the note */
  footers?: { label: string; url: string }[]
  /** at the top: replies are written above it */
  ruler?: string
}

/** A mail's subject and its content, both as plain text and as HTML that says the same. */
export async function letter(
  content: Letter,
  voice: Voice,
  brand: Brand,
): Promise<Pick<Mail, 'subject' | 'text' | 'html'>> {
  const subject = headerText(content.subject)
  const greeting = content.name ? [voice.say('mail.hello', { name: content.name })] : []
  const paragraphs = [...greeting, ...content.paragraphs]
  const text = plain({ ...content, paragraphs }, brand)
  const page = layout({ ...content, subject, paragraphs }, voice, brand)
  return { subject, text, html: page.toString() }
}

function plain(content: Letter, { footer }: Brand): string {
  const { paragraphs, facts = [], quote, entries = [], figures, actions = [] } = content
  const { note, footers = [] } = content
  const parts = [
    ...(content.ruler ? [`## ${content.ruler} ##`] : []),
    ...paragraphs,
    ...(quote ? [quote.replaceAll(/^/gm, '> ')] : []),
    ...(facts.length ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...entries.map(({ title, text, url }) => [title, ...(text ? [text] : []), url].join('\n')),
    ...(figures
      ? [
          [figures.columns, ...figures.rows.map(({ cells }) => cells)]
            .map((row) => row.join(' | '))
            .join('\n'),
        ]
      : []),
    ...actions.map(({ label, url }) => `${label}:\n${url}`),
    note,
    ...(footer ? [footer] : []),
    ...(footers.length ? [footers.map(({ label, url }) => `${label}: ${url}`).join('\n')] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** A layout table, which screen readers ignore, without borders and gaps. */
const table = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`

/** One card of at most 600 pixels, made of tables, because mail programs lay out everything else differently. */
function layout(content: Letter, { language }: Voice, brand: Brand): Html {
  const { subject, paragraphs, facts = [], quote, entries = [], figures, actions = [] } = content
  const { note, footers = [], ruler } = content
  const { bar, action, onAction } = ownColours(brand.colour)
  const button = `background:${action};border:1px solid ${action};color:${onAction}`
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${letterStyle(brand.colour)}
      </head>
      <body class="ground" style="${styles.body}">
        <div role="article" aria-roledescription="email" aria-label="${subject}" lang="${language}">
          <div style="${styles.preview}">${previewOf(content)}</div>
          ${ruler ? html`<p class="quiet" style="${styles.ruler}">## ${ruler} ##</p>` : ''}
          <table ${table} width="100%">
            <tr>
              <td align="center">
                <table
                  ${table}
                  class="card"
                  width="100%"
                  style="${styles.card};border-top:4px solid ${bar}"
                >
                  <tr>
                    <td class="pad" style="padding:24px 32px 0">${head(brand)}</td>
                  </tr>
                  <tr>
                    <td class="pad" style="padding:20px 32px 28px">
                      ${paragraphs.map((each) => html`<p style="${styles.paragraph}">${each}</p>`)}
                      ${quote ? html`<blockquote dir="auto" class="quote" style="${styles.quote}">${quote}</blockquote>` : ''}
                      ${facts.length ? factTable(facts) : ''}
                      ${entries.length ? entryList(entries) : ''}
                      ${figures ? figureTable(figures, bar) : ''}
                      ${
                        actions.length
                          ? html`<p style="margin:24px 0 0">
                              ${actions.map(({ label, url }, i) =>
                                i === 0
                                  ? html`<a
                                      href="${url}"
                                      class="main"
                                      style="${styles.button};${button}"
                                      >${label}</a
                                    >`
                                  : html` <a
                                      href="${url}"
                                      class="other"
                                      style="${styles.button};${styles.other}"
                                      >${label}</a
                                    >`,
                              )}
                            </p>`
                          : ''
                      }
                    </td>
                  </tr>
                </table>
                <table ${table} width="100%" style="max-width:600px">
                  <tr>
                    <td class="pad quiet" style="${styles.foot}">
                      <p style="margin:0 0 8px">${note}</p>
                      ${brand.footer ? html`<p style="margin:0 0 8px;white-space:pre-line">${brand.footer}</p>` : ''}
                      ${
                        footers.length
                          ? html`<p style="margin:0">
                              ${footers.map(
                                ({ label, url }, i) =>
                                  html`${i ? ' · ' : ''}<a
                                      href="${url}"
                                      class="quiet"
                                      style="color:#55635c"
                                      >${label}</a
                                    >`,
                              )}
                            </p>`
                          : ''
                      }
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html>`
}

/** What lists of mails show beside the subject; else they show the first text, such as the greeting. */
function previewOf({ paragraphs, name, quote, entries = [] }: Letter): string | undefined {
  if (quote) return quote
  return entries.map(({ title }) => title).join(', ') || paragraphs[name ? 1 : 0]
}

/** The organization's logo, on white because most are made for it, or its name. */
function head({ logo, name }: Brand): Html {
  return logo
    ? html`<img src="${logo}" alt="${name}" height="36" class="logo" style="${styles.logo}" />`
    : html`<span class="ink" style="${styles.name}">${name}</span>`
}

function factTable(facts: NonNullable<Letter['facts']>): Html {
  return html`<table ${table} style="margin:16px 0 0;font-size:15px;line-height:1.5">
    ${facts.map(
      ({ label, value }) =>
        html`<tr>
          <td class="quiet" valign="top" style="${styles.label}">${label}</td>
          <td class="ink" style="padding:2px 0;white-space:pre-line">${value}</td>
        </tr>`,
    )}
  </table>`
}

function entryList(entries: NonNullable<Letter['entries']>): Html {
  return html`<table ${table} width="100%">
    ${entries.map(
      ({ title, text, url }) =>
        html`<tr>
          <td class="line" style="${styles.entry}">
            <a href="${url}" class="ink" style="${styles.entryTitle}">${title}</a>
            ${text ? html`<br /><span class="quiet" style="color:#55635c">${text}</span>` : ''}
          </td>
        </tr>`,
    )}
  </table>`
}

/** A table of numbers, with a bar of two cells below the name of each row. */
function figureTable({ columns, rows }: NonNullable<Letter['figures']>, colour: string): Html {
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="font-size:15px">
    <tr>
      ${columns.map((each, i) => html`<th scope="col" class="quiet" style="${styles.column};text-align:${i ? 'right' : 'left'}">${each}</th>`)}
    </tr>
    ${rows.map(
      ({ cells: [name, ...values], part }) =>
        html`<tr>
          <th scope="row" class="line ink" width="100%" style="${styles.named}">
            ${name}
            <table ${table} width="100%" style="margin:4px 0 0">
              <tr>
                ${percentCells(part, colour)}
              </tr>
            </table>
          </th>
          ${values.map((each) => html`<td class="line ink" align="right" style="${styles.figure};padding-left:10px">${each}</td>`)}
        </tr>`,
    )}
  </table>`
}

/** A bar: a coloured cell and an empty one, whose widths are shares of the row. */
function percentCells(part: number, colour: string): Html[] {
  const width = Math.round(100 * Math.max(0, Math.min(1, part)))
  return [
    ...(width
      ? [
          html`<td width="${width}%" height="6" style="background:${colour};font-size:0">
            &nbsp;
          </td>`,
        ]
      : []),
    ...(width < 100
      ? [html`<td width="${100 - width}%" height="6" style="font-size:0">&nbsp;</td>`]
      : []),
  ]
}

const styles = {
  column: 'padding:0 0 8px;color:#55635c;font-size:13px;font-weight:400',
  figure: 'padding:10px 0;border-top:1px solid #d3dcd7;font-weight:600;white-space:nowrap',
  named:
    'padding:10px 0;border-top:1px solid #d3dcd7;font-weight:600;text-align:left;overflow-wrap:break-word',
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  body: "margin:0;padding:24px 12px;background:#f3f6f4;color:#17211c;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  ruler: 'max-width:600px;margin:0 auto 16px;color:#55635c;font-size:12px;text-align:center',
  card: 'max-width:600px;background:#ffffff;color:#17211c;border-radius:12px;text-align:left;overflow-wrap:anywhere',
  logo: 'display:block;height:36px;max-width:240px;border:0;font-size:18px;font-weight:600',
  name: 'font-size:18px;font-weight:600;color:#17211c',
  paragraph: 'margin:0 0 14px;white-space:pre-line',
  quote:
    'margin:16px 0 0;padding:12px 16px;background:#f3f6f4;border-radius:8px;white-space:pre-line',
  label: 'padding:2px 16px 2px 0;color:#55635c;white-space:nowrap',
  button:
    'display:inline-block;margin:0 8px 8px 0;padding:11px 20px;border-radius:8px;text-decoration:none;font-weight:600',
  other: 'background:transparent;border:1px solid #7b8a83;color:#17211c',
  entry: 'padding:12px 0;border-top:1px solid #d3dcd7;font-size:15px;line-height:1.45',
  entryTitle: 'color:#17211c;font-weight:600',
  foot: 'padding:16px 32px 0;color:#55635c;font-size:13px;line-height:1.5;text-align:left;overflow-wrap:anywhere',
}
