import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { newId } from '../../../server/src/kit/ground/ids.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { startMailbox } from '../../../server/test/support/mailbox.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// From what was said in a meeting to tasks, and back.

/** A document of Word as Teams writes it: a paragraph for each speaker, with the words behind a break. */
function wordDocument(text: string): Buffer {
  const rows = text.split('\n')
  const escaped = (row = '') => row.replaceAll('&', '&amp;')
  const paragraphs = rows.flatMap((row, n) =>
    n % 2
      ? []
      : `<w:p><w:r><w:t>${escaped(row)}</w:t></w:r><w:r><w:br/><w:t xml:space="preserve">${escaped(rows[n + 1])}</w:t></w:r></w:p>`,
  )
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs.join('')}</w:body></w:document>`
  const parts = { '[Content_Types].xml': '<Types/>', 'word/document.xml': xml }
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(Buffer.byteLength(content), 18)
    head.writeUInt16LE(name.length, 22)
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const entry = [Buffer.from('PK\u0001\u0002\u0014\0'), head, place, Buffer.from(name)]
    directory.push(Buffer.concat(entry))
    files.push(file)
    at += file.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...files, ...directory, Buffer.from('PK\u0005\u0006'), end])
}

describe('a transcript', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
    call = await workspace.as('admin')
  })

  async function meet() {
    const { user } = await call('GET', '/api/session/')
    const guest = `helene-${newId()}@clairval.test`
    const project_name = `Clairval ${newId()}`
    await call('POST', '/api/project/info/', { project_name })
    const named = JSON.stringify([{ field: 'project_name', operator: 'eq', value: project_name }])
    const [{ project_id }] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&filter=${encodeURIComponent(named)}`,
    )
    const calendar_id = newId()
    await call('POST', '/api/calendar/info/', {
      calendar_id,
      title: 'Clairval steering',
      start: '2026-11-25T09:00:00Z',
      end: '2026-11-25T10:00:00Z',
      project: project_id,
      attendees: [
        { type: 'user', id: user.user_id },
        { type: 'external', email: guest, name: 'Hélène Vasseur' },
      ],
    })
    const me = user.full_name
    const text = [
      `${me}   0:03`,
      'Good morning, data of eleven of fourteen clinics is in and checked.',
      'Hélène Vasseur   18:02',
      'We agreed that Lyon goes live with eleven clinics.',
      `${me}   23:15`,
      'I will send the signed contract by Friday.',
      'Hélène Vasseur   31:50',
      "Je vous envoie le certificat d'ici vendredi.",
      `${me}   44:31`,
      'Somebody should check the price for two more clinics.',
    ].join('\n')
    return { calendar_id, guest, text, project_id }
  }
  const tasksOf = (project_id: string): Promise<{ title: string }[]> => {
    const filter = JSON.stringify([{ field: 'project_id', operator: 'eq', value: project_id }])
    return call('GET', `/api/tasks/?page=1&items_per_page=50&filter=${encodeURIComponent(filter)}`)
  }

  test('becomes tasks, one undo leaves none, and the mail lists what is shared', async () => {
    const { calendar_id, guest, text, project_id } = await meet()
    const page = await workspace.open('admin', { path: `/meetings/${calendar_id}/transcript` })
    await page.getByRole('textbox', { name: 'Transcript' }).fill(text)
    await page.getByRole('button', { name: 'Add transcript' }).click()
    await page.getByRole('listitem').getByText('We agreed that Lyon goes live').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'transcript')

    await page.getByRole('tab', { name: 'Insight' }).click()
    await page.getByText('read on this server without a model').waitFor()
    await page.getByText('3 found').waitFor()
    const box = (title: string) => page.getByRole('checkbox', { name: `Add “${title}”` })
    await box('Envoyer le certificat').waitFor()
    assert.equal(await box('Check the price for two more clinics').isChecked(), false)
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'insight')

    await page.getByText('Envoyer le certificat, November 27').waitFor()
    await page.getByRole('button', { name: 'Add 2 tasks' }).click()
    await page.getByText('2 tasks were added').waitFor()
    await page.getByRole('link', { name: 'Send the signed contract' }).waitFor()
    assert.deepEqual((await tasksOf(project_id)).map(({ title }) => title).toSorted(), [
      'Envoyer le certificat',
      'Send the signed contract',
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await box('Send the signed contract').waitFor()
    assert.deepEqual(await tasksOf(project_id), [])

    // what is not shared is not in the mail
    await page.getByRole('checkbox', { name: 'Shared with the customer' }).first().click()
    await page.getByText('Send the signed contract, November 27').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Send to/ }).click()
    for (;;) {
      const mail = await mailbox.next(guest)
      if (!mail.subject?.includes('what we agreed')) continue
      assert.ok(mail.text?.includes('Envoyer le certificat'), mail.text)
      assert.ok(!mail.text?.includes('signed contract'), mail.text)
      break
    }

    // the time of a sentence opens the transcript there
    await page.getByRole('link', { name: 'Open the transcript at 18:02' }).click()
    const line = page.getByRole('listitem').and(page.locator('[aria-current]'))
    await line.getByText('We agreed that Lyon').waitFor()
  })

  test('is a document of Word, too, and one that cannot be read is said', async () => {
    const { calendar_id, text } = await meet()
    const page = await workspace.open('admin', { path: `/meetings/${calendar_id}/transcript` })
    const field = page.getByRole('textbox', { name: 'Transcript' })
    await field.waitFor()
    const choose = async (buffer: Buffer) => {
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose a file' }).click()
      const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
      await (await chosen).setFiles({ name: 'Steering.docx', mimeType, buffer })
    }
    await choose(Buffer.from('PK, and nothing else'))
    await page.getByText(/^Steering.docx cannot be read/).waitFor()
    await choose(wordDocument(text.replace('checked', 'checked & right')))
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('& right'))
    await page.getByRole('button', { name: 'Add transcript' }).click()
    await page.getByRole('listitem').getByText('We agreed that Lyon goes live').waitFor()
    const { format, lines } = await call('GET', `/api/calendar/${calendar_id}/transcript/`)
    assert.deepEqual([format, lines.length], ['teams', 5])
  })

  for (const [screen, theme] of [
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`can be read and added, ${screen}, ${theme}`, async () => {
      const { calendar_id, text } = await meet()
      await call('POST', `/api/calendar/${calendar_id}/transcript/`, { text })
      const path = `/meetings/${calendar_id}/insight`
      const page = await workspace.open('admin', { path, screen, theme })
      await page.getByText('3 found').waitFor()
      await page.getByRole('button', { name: /^Send to/ }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= (screen === 'phone' ? 360 : 1440), `${width}`)
      await wholePicture(page, `insight-${screen}-${theme}`)
    })
  }

  test('is not for who was not there', async () => {
    const { calendar_id, text } = await meet()
    await call('POST', `/api/calendar/${calendar_id}/transcript/`, { text })
    const page = await workspace.open('member', { path: `/meetings/${calendar_id}/insight` })
    await page.getByRole('heading', { name: 'You were not there' }).waitFor()
    expectFaults(page, /403/)
    assert.deepEqual(await problemsOf(page), [])
  })
})
