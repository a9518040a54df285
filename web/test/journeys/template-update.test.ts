import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A template is edited and published, and its running projects take that over: seen before, ticked, and one undo for all.

type Task = { item_id: string; title: string; start_date: string; due_date: string }
type Template = { template_id: string; template_name: string }

describe('the update of running projects', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const planOf = async (id: string) => {
    const { tasks } = await call('GET', `/api/project/info/${id}/plan/`)
    return tasks.map(({ title, start_date, due_date }: Task) =>
      [title, start_date, due_date].join(' '),
    )
  }
  const taskOf = async (id: string, wanted: string) => {
    const { tasks } = await call('GET', `/api/project/info/${id}/plan/`)
    return tasks.find(({ title }: Task) => title === wanted).item_id
  }

  /** A template with three running projects of its first version. */
  async function made(template_name: string) {
    await call('POST', '/api/templates/template/', {
      template_name,
      template_config: {
        stages: [
          {
            stage_id: 'data',
            name: 'Data and access',
            tasks: [
              { id: 'meet', title: 'Meet', duration_days: 2 },
              {
                id: 'export',
                title: 'Export',
                start_offset_days: 2,
                duration_days: 5,
                depends_on: ['meet'],
              },
              {
                id: 'import',
                title: 'Import',
                start_offset_days: 7,
                duration_days: 3,
                depends_on: ['export'],
              },
            ],
          },
        ],
      },
    })
    const all = await call('GET', '/api/templates/template/?page=1&items_per_page=100')
    const id = String(
      all.find((each: Template) => each.template_name === template_name).template_id,
    )
    const projects: string[] = []
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      const { project_id } = await call('POST', `/api/templates/template/${id}/use/`, {
        project_name: `${name} of ${template_name}`,
        start_date: '2031-03-03',
      })
      projects.push(project_id)
    }
    await call('PUT', `/api/tasks/${await taskOf(projects[1] ?? '', 'Export')}/`, {
      title: 'Export of Beta',
    })
    await call('PUT', `/api/tasks/${await taskOf(projects[2] ?? '', 'Meet')}/`, {
      is_completed: true,
    })
    return { id, projects }
  }

  test('follows a publication: seen, ticked, written together and undone together', async () => {
    const { id, projects } = await made('Clinic onboarding')
    const before = await Promise.all(projects.map(planOf))
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    await page.getByRole('treegrid', { name: 'Template' }).waitFor()
    await page.locator('[data-cell="meet days"]').dblclick()
    await page.getByLabel('Days of Meet').fill('4')
    await page.keyboard.press('Enter')
    await page.locator('[data-cell="export title"]').dblclick()
    await page.getByLabel('Title of Export').fill('Export of appointments')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByText(/^Saved \d/).waitFor()
    await page.getByRole('button', { name: 'Publish version 2' }).click()
    await page.getByLabel('What changed').fill('More time to meet')
    await page.keyboard.press('Enter')
    await page.getByText('Version 2 of Clinic onboarding published').waitFor()
    await page.getByRole('button', { name: 'Update 3 projects' }).click()
    const dialog = page.getByRole('dialog', { name: 'Update running projects' })
    await dialog.getByRole('checkbox', { name: /^Alpha/ }).waitFor()
    await dialog.getByText('2 changed · 2 moved · ends').first().waitFor()
    await dialog.getByText('Lines of Beta of Clinic onboarding').click()
    await dialog.getByText('changed by hand', { exact: true }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'update-projects-wide-light')
    await dialog.getByRole('button', { name: 'Update 3 projects' }).click()
    await page.getByText('3 projects updated to version 2 of Clinic onboarding').waitFor()
    // Meet 3 to 6, the export from 7 to 13, the import from 14 to 18
    assert.deepEqual(await planOf(projects[0] ?? ''), [
      'Meet 2031-03-03 2031-03-06',
      'Export of appointments 2031-03-07 2031-03-13',
      'Import 2031-03-14 2031-03-18',
    ])
    assert.ok((await planOf(projects[1] ?? '')).includes('Export of Beta 2031-03-05 2031-03-11'))
    assert.ok((await planOf(projects[2] ?? '')).includes('Meet 2031-03-03 2031-03-04'))
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await undone).status(), 200)
    assert.deepEqual(await Promise.all(projects.map(planOf)), before)
    // from the versions, as far as it is ticked
    await page.getByRole('button', { name: 'Update 3 running projects' }).click()
    await dialog.getByRole('checkbox', { name: /^Beta/ }).click()
    await dialog.getByRole('checkbox', { name: /^Gamma/ }).click()
    await dialog.getByRole('button', { name: 'Update 1 project' }).click()
    await page.getByText('1 project updated to version 2 of Clinic onboarding').waitFor()
    await page.getByRole('button', { name: 'Update 2 running projects' }).waitFor()
    assert.deepEqual(await planOf(projects[1] ?? ''), before[1])
  })

  for (const [screen, theme] of [
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`has no findings of axe, ${screen}, ${theme}`, async () => {
      const { id } = await made(`Onboarding ${screen} ${theme}`)
      const draft = await call('GET', `/api/templates/template/${id}/draft/`)
      const [stage] = draft.template_config.stages
      stage.tasks[0].duration_days = 4
      stage.tasks.push({ id: 'help', title: 'Access for the help desk', start_offset_days: 4 })
      await call('PUT', `/api/templates/template/${id}/draft/`, {
        template_config: draft.template_config,
      })
      await call('POST', `/api/templates/template/${id}/publish/`, { note: 'More' })
      const page = await workspace.open('admin', { path: `/templates/${id}`, screen, theme })
      if (screen === 'wide') {
        await page.getByRole('button', { name: 'Update 3 running projects' }).click()
      } else {
        await page.getByRole('button', { name: /^More about/ }).click()
        await page.getByRole('menuitem', { name: 'Update running projects' }).click()
      }
      const dialog = page.getByRole('dialog', { name: 'Update running projects' })
      await dialog.getByText(/^Lines of Alpha/).click()
      await dialog.getByText('Access for the help desk').first().waitFor()
      const width = await dialog.evaluate((popup) => popup.scrollWidth - popup.clientWidth)
      assert.ok(width <= 0, `the dialog is ${width} px too narrow`)
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `update-projects-${screen}-${theme}`)
    })
  }
})
