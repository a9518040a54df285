import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { screens } from '../../src/screens.ts'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { pages } from '../pages/pages.ts'
import { nothing, script, scriptsOn } from '../support/scripts.ts'
import { firstRows } from '../support/first-rows.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Stored texts never run as scripts: scripts in every text of every record, on every page.

/** Shorter texts have no room for a script. */
const room = 60

type Described = {
  path: string
  key: string
  fields: {
    name: string
    type: string
    is_writable: boolean
    max_length: number | null
    options: unknown[]
  }[]
}

describe('scripts that are stored', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  /** the record of each module that has them */
  const ids = new Map<string, string>()

  before(async () => {
    workspace = await startWorkspace()
  })

  test('are taken as text by every record', async (t) => {
    const { service, demo } = workspace
    const { email } = demo.people.find(({ role }) => role === 'admin')!
    const login = await service.call('POST', '/api/login/', {
      body: { email, password: demo.password },
    })
    const token = login.body.access_token as string
    let stored = 0
    // one that can be prepared for signatures, which not all of the demonstration can
    const made = await service.call('POST', '/api/documents/', {
      token,
      body: { document_name: script(stored++), editor_html_content: '<p>To be signed</p>' },
    })
    assert.equal(made.status, 201, made.text)
    ids.set('documents', (made.body as { attach_id: string }).attach_id)
    for (const { module } of screens) {
      const described = await service.call('GET', `/api/modules/${module}/`, { token })
      const { path, key, fields } = described.body as Described
      const list = firstRows(module, described.body as Described, 8)
      const rows = (await service.call('GET', list, { token })).body as { [name: string]: string }[]
      const texts = fields.filter(
        ({ type, is_writable, options, max_length }) =>
          ['text', 'long_text'].includes(type) &&
          is_writable &&
          !options.length &&
          (max_length ?? room) >= room,
      )
      const taken = new Set<string>()
      for (const row of rows) {
        for (const { name } of texts) {
          const body = { [name]: script(stored) }
          const reply = await service.call('PUT', `${path}${row[key]}/`, { token, body })
          // what has a form of its own, such as a pattern of days, or waits for signatures is refused
          assert.ok(reply.status < 300 || [400, 409].includes(reply.status), reply.text)
          if (reply.status >= 300) continue
          taken.add(name)
          if (!ids.has(module)) ids.set(module, row[key]!)
          stored++
        }
      }
      assert.ok(taken.size, `${module} took none`)
      t.diagnostic(`${module}: ${[...taken].join(', ')}`)
    }
    assert.ok(stored >= 100, `${stored}`)
  })

  test('are shown and never run, on every page', async (t) => {
    const page = await workspace.open('admin', { path: '/' })
    const settled = whenSettled(page)
    let shown = 0
    for (const { path, module, seenBy } of pages) {
      if (seenBy && !seenBy.includes('admin')) continue
      await page.goto(path.replace('$id', (module && ids.get(module)) ?? ''))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await settled()
      assert.deepEqual(await scriptsOn(page), nothing, path)
      const isShown = (await page.locator('body').innerText()).includes('globalThis.hit')
      if (isShown) shown++
      // a record's own page shows what it holds
      assert.ok(isShown || !path.includes('/$id'), `${path} shows nothing of it`)
    }
    t.diagnostic(`shown on ${shown} pages`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('onerror')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await scriptsOn(page), nothing)
  })
})
