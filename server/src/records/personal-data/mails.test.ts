import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import { readable } from './mails.ts'
import { patternOf } from './pattern.ts'

// Whatever encoding a mail has, and wherever its lines are folded, the person is found in it.

const name = 'Xaviera Quillfeather'
const placeholders = { name: 'N', email: 'E', other: 'O' }
const pattern = patternOf({ names: [name], emails: [], phones: [], links: [] }, placeholders)

test('a name is found in a mail wherever its lines break', async () => {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const composed = async (mail: object) => {
    const to = 'bob@acme.test'
    const sent = await transport.sendMail({ to, text: 'x', ...mail })
    return pattern.isIn(readable((sent.message as Buffer).toString('latin1')))
  }
  assert.equal(await composed({ subject: 'Nothing' }), false)
  for (let before = 0; before < 80; before++) {
    const text = `${'a'.repeat(before)} ${name}`
    const missed: string[] = []
    for (const [how, mail] of Object.entries({
      subject: { subject: text },
      'subject in encoded words': { subject: `Ü ${text}` },
      sender: { from: { name: `${text} via Acme`, address: 'crm@acme.test' } },
      text: { text, textEncoding: 'quoted-printable' },
      base64: { text: name, textEncoding: 'base64' },
      'long base64': { text: `${text} ü`, html: text, textEncoding: 'base64' },
      calendar: {
        icalEvent: { content: `BEGIN:VCALENDAR\r\nSUMMARY:${folded(text)}\r\nEND:VCALENDAR` },
      },
    })) {
      if (!(await composed(mail))) missed.push(how)
    }
    assert.deepEqual(missed, [], `behind ${before} letters`)
  }
})

/** As calendars fold their lines (RFC 5545, 3.1). */
function folded(text: string): string {
  return text.replaceAll(/(.{67})(?=.)/g, '$1\r\n ')
}
