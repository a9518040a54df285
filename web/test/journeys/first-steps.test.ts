import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../server/test/support/mailbox.ts'
import { planStory } from '../../../server/test/support/plan-story.ts'
import { makeOrganization, password } from '../../../server/test/support/service.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// The first steps of two people: a customer who was invited by mail, and the administrator of an empty organization.

describe('first steps', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
  })

  test('of a customer, on a phone in German: from the invitation to a task, a form and a document', async (t) => {
    const org = await makeOrganization(workspace.service)
    const { ask, make } = planStory(workspace.service, org)
    const account_id = await make('/api/account/info/', { account_name: 'Klinik Altona' })
    const project_id = await make('/api/project/info/', {
      project_name: 'Einführung Klinik Altona',
      account_id,
      is_shared: true,
    })
    const roles = await ask('GET', '/api/users/role/?page=1&items_per_page=50')
    const { role_id } = roles.find(
      ({ role_name }: { role_name: string }) => role_name === 'customer',
    )
    const email = 'ines.gast@klinik-altona.test'
    await ask('POST', '/api/users/profile/action/', {
      email,
      full_name: 'Ines Gast',
      language: 'de',
      role_id,
      account_id,
    })
    const users = await ask('GET', '/api/users/profile/?page=1&items_per_page=50')
    const { user_id } = users.find((each: { email: string }) => each.email === email)
    const task = (title: string, due_date: string, more: object = {}) =>
      make('/api/tasks/', { title, project_id, owner: user_id, is_shared: true, due_date, ...more })
    const done = await task('Liste der Räume senden', '2026-01-05')
    const fields = [{ id: 'seats', type: 'number', label: 'Wie viele Plätze?', required: true }]
    const form = await task('Angaben zu den Plätzen', '2026-01-06', {
      item_type: 3,
      form_structure: { pages: [{ fields }] },
    })
    await make('/api/documents/', {
      document_name: 'Ablaufplan',
      module_name: 'projects',
      reference_id: project_id,
      is_shared: true,
      editorjs_content: { blocks: [{ type: 'paragraph', data: { text: 'Woche 1: Auftakt' } }] },
    })

    const mail = await mailbox.next(email)
    assert.match(mail.subject ?? '', /lädt Sie zu .* ein/)
    const began = Date.now()
    const page = await workspace.open(null, {
      screen: 'phone',
      language: 'de-DE',
      path: new URL(linkIn(mail)).pathname,
    })
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Beitreten' }).click()
    await page.getByRole('link', { name: 'Anmelden' }).click()
    await page.getByLabel('E-Mail').fill(email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await page.waitForURL('**/portal')
    await page.getByRole('heading', { name: 'Liste der Räume senden' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Als erledigt markieren' }).first().click()
    await page.getByText(/Erledigt: Liste der Räume senden/).waitFor()
    await page.getByRole('link', { name: 'Formular öffnen' }).click()
    await page.getByLabel('Wie viele Plätze?').fill('40')
    await page.getByRole('button', { name: 'Absenden', exact: true }).click()
    await page.getByText(/Erledigt: Angaben zu den Plätzen/).waitFor()
    await page.getByRole('link', { name: 'Ablaufplan' }).first().click()
    await page.getByText('Woche 1: Auftakt').waitFor()
    const seconds = (Date.now() - began) / 1000
    t.diagnostic(`${seconds.toFixed(0)} s of 120 s`)
    assert.ok(seconds < 120)
    for (const id of [done, form]) {
      const { is_completed } = await ask('GET', `/api/tasks/${id}/`)
      assert.equal(is_completed, true)
    }
  })

  test('of an administrator: from an empty organization to a project that a customer sees', async (t) => {
    const org = await makeOrganization(workspace.service)
    const { ask } = planStory(workspace.service, org)
    const began = Date.now()
    const page = await workspace.open(null)
    await page.getByLabel('E-mail').fill(org.users.admin.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Create a project from a template' }).click()
    await page.getByRole('button', { name: /^Use / }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.getByLabel('Project name').fill('First customer')
    await dialog.getByText(/^Creates 1 project/).waitFor()
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { level: 1, name: 'First customer' }).waitFor()
    const [project] = await ask('GET', '/api/project/info/?page=1&items_per_page=1')
    assert.equal(project.project_name, 'First customer')
    const seconds = (Date.now() - began) / 1000
    t.diagnostic(`${seconds.toFixed(0)} s of 300 s`)
    assert.ok(seconds < 300)
  })
})
