import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A template becomes a project, part of one, or the project of a won deal, as previewed; and a project a template.

describe('templates', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let template: string

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    await call('POST', '/api/templates/template/', {
      template_name: 'Clinic onboarding',
      description: 'From the signature to the first patient',
      template_config: {
        stages: [
          {
            name: 'Kick-off',
            duration_days: 3,
            tasks: [
              { title: 'Meet', assignee_role: 'project_owner' },
              { title: 'Agree on the dates', start_offset_days: 1, assignee_role: 'project_owner' },
            ],
          },
          {
            name: 'Data and access',
            start_offset_days: 3,
            duration_days: 8,
            tasks: [
              { title: 'Export', duration_days: 5, assignee_role: 'Integration' },
              { title: 'Import', start_offset_days: 5, duration_days: 3, depends_on: ['Export'] },
            ],
          },
          {
            name: 'Go-live',
            start_offset_days: 11,
            duration_days: 2,
            tasks: [{ title: 'Go live', duration_days: 2, assignee_role: 'project_owner' }],
          },
        ],
      },
    })
    const all = await call('GET', '/api/templates/template/?page=1&items_per_page=100')
    template = all.find(
      ({ template_name }: { template_name: string }) => template_name === 'Clinic onboarding',
    ).template_id
  })

  const planOf = async (id: string) => {
    const { milestones } = await call('GET', `/api/project/info/${id}/plan/`)
    return milestones.map(
      ({ name, start_date, due_date }: { [field: string]: string }) =>
        `${name} ${start_date} ${due_date}`,
    )
  }
  /** The milestones of the preview with their days. */
  const shownIn = (page: Page) =>
    page
      .getByRole('region', { name: 'Preview' })
      .locator('tr')
      .evaluateAll((rows) =>
        rows.map((row) => {
          const days = [...row.querySelectorAll('time')].map(({ dateTime }) => dateTime)
          return [row.querySelector('th')?.textContent, ...days].join(' ')
        }),
      )
  const idIn = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''
  const newProject = async (project_name: string) => {
    await call('POST', '/api/project/info/', { project_name, start_date: '2031-03-03' })
    const q = encodeURIComponent(project_name)
    const [found] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=project&q=${q}`,
    )
    return String(found.project_id)
  }

  test('are used from the gallery: dates, people, preview, plan, undo', async () => {
    const page = await workspace.open('admin', { path: '/templates' })
    await page.getByRole('heading', { name: 'Clinic onboarding' }).waitFor()
    await page.getByText('5 tasks · 13 working days · 2 roles').waitFor()
    await page.getByRole('button', { name: 'Use Clinic onboarding' }).click()
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.getByLabel('Project name').fill('Vauban Laboratoires')
    await dialog.getByLabel('Go live on').fill('2031-03-22')
    await dialog.getByText(/is not a working day: the plan ends on/).waitFor()
    const { full_name } = workspace.demo.people.find(({ role }) => role === 'member')!
    await dialog.getByRole('combobox', { name: 'Integration' }).click()
    await page.getByRole('option', { name: full_name }).click()
    await dialog.getByText('Creates 1 project, 3 milestones, 5 tasks.').waitFor()
    // somebody new is invited by keys, and is not there before it is created nor after the undo
    await dialog.getByRole('combobox', { name: 'Project owner' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search people' }).fill('ivy.roux@example.com')
    await page.getByRole('button', { name: 'Invite “ivy.roux@example.com” by mail' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog
      .getByText('Creates 1 project, 3 milestones, 5 tasks. Invites 1 person ten minutes later.')
      .waitFor()
    const preview = await shownIn(page)
    assert.deepEqual(preview.length, 3)
    assert.match(preview[2] ?? '', /^Go-live 2031-03-20 2031-03-21$/)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/projects\//)
    const id = idIn(page)
    await page.getByText('Vauban Laboratoires created from Clinic onboarding').waitFor()
    assert.deepEqual(await planOf(id), preview)
    const { tasks } = await call('GET', `/api/project/info/${id}/plan/`)
    const owners = tasks.map(
      ({ title, owner }: { title: string; owner: { full_name: string } }) => [
        title,
        owner?.full_name,
      ],
    )
    assert.ok(owners.some(([title, owner]: string[]) => title === 'Export' && owner === full_name))
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await undone).status(), 200)
    await page.waitForURL((url) => url.pathname === '/projects')
    const left = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=1&project_type=project&q=Vauban%20Laboratoires',
    )
    assert.deepEqual(left, [])
  })

  test('become the project of a won deal: one role free, one person with too much to do, and all of it back', async () => {
    const people = workspace.demo.people.filter(({ role }) => role === 'member')
    const { full_name } = people[0]!
    const users = await call('GET', '/api/users/profile/?page=1&items_per_page=100')
    const { user_id } = users.find((user: { full_name: string }) => user.full_name === full_name)
    await call('PUT', `/api/users/profile/${user_id}/`, { weekly_hours: 40 })
    await call('POST', '/api/tasks/', {
      title: 'At another customer',
      owner: user_id,
      start_date: '2031-03-03',
      due_date: '2031-03-07',
      estimate_minutes: 60 * 44.8,
    })
    await call('POST', '/api/templates/template/', {
      template_name: 'Imaging, second site',
      template_config: {
        stages: [
          {
            name: 'Data',
            duration_days: 5,
            tasks: [
              { title: 'Export of images', duration_days: 5, assignee_role: 'Integration' },
              { title: 'Check the images', duration_days: 2, assignee_role: 'Radiologist' },
            ],
          },
          {
            name: 'Go-live',
            start_offset_days: 5,
            duration_days: 2,
            tasks: [{ title: 'Switch over', duration_days: 2, assignee_role: 'project_owner' }],
          },
        ],
      },
    })
    await call('POST', '/api/project/info/', {
      project_type: 'deal',
      project_name: 'Two imaging centres',
      project_owner: (await call('GET', '/api/session/')).user.user_id,
    })
    const [deal] = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=1&project_type=deal&q=Two%20imaging',
    )
    const page = await workspace.open('admin', { path: `/deals/${deal.project_id}` })
    await page.getByRole('button', { name: 'Mark as won' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create the project' })
    // of the deal's name it has a word
    const chosen = dialog.getByRole('combobox', { name: 'Template' })
    await chosen.getByText('Imaging, second site').waitFor()
    await chosen.click()
    await page.getByRole('option', { name: /^Clinic onboarding/ }).click()
    const fits = dialog.getByRole('group', { name: 'Fits too' })
    await fits.getByRole('button', { name: 'Imaging, second site' }).click()
    await dialog.getByLabel('Go live on').fill('2031-03-11')
    await dialog.getByRole('combobox', { name: 'Integration' }).click()
    await page.getByRole('option', { name: full_name }).click()
    await dialog.getByText('112%').waitFor()
    await dialog.getByText(`${full_name} has 45 h of 40 h in the week of`).waitFor()
    await dialog.getByText('1 task without an owner').waitFor()
    await dialog.getByText('Creates 1 project, 2 milestones, 3 tasks.').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'use-deal')
    const preview = await shownIn(page)
    assert.match(preview[1] ?? '', /^Go-live 2031-03-10 2031-03-11$/)
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL(/\/projects\//)
    const id = idIn(page)
    assert.deepEqual(await planOf(id), preview)
    const { tasks } = await call('GET', `/api/project/info/${id}/plan/`)
    const ownerOf = (title: string) =>
      tasks.find((row: any) => row.title === title).owner?.full_name ?? null
    assert.equal(ownerOf('Export of images'), full_name)
    assert.equal(ownerOf('Check the images'), null)
    assert.notEqual(ownerOf('Switch over'), null)
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    // the move of the deal has its own
    await page
      .getByRole('dialog')
      .filter({ hasText: 'created from Imaging, second site' })
      .getByRole('button', { name: 'Undo' })
      .click()
    assert.equal((await undone).status(), 200)
    await page.waitForURL((url) => url.pathname === `/deals/${deal.project_id}`)
    const left = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=9&project_type=project&q=Two%20imaging',
    )
    assert.deepEqual(left, [])
    // what was to be mailed finds nothing to tell
    const mails = join(workspace.service.runtime.config.dataDir, 'outbox')
    assert.deepEqual(existsSync(mails) ? readdirSync(mails) : [], [])
    // and the deal can become a project again
    await page.getByRole('button', { name: 'Create its project' }).click()
    await dialog.getByText(/Creates 1 project/).waitFor()
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL(/\/projects\//)
    await page.goto(`/deals/${deal.project_id}`)
    await page.getByRole('button', { name: 'Open its project' }).click()
    await page.waitForURL(/\/projects\//)
  })

  test('are added to a running project, as far as they are ticked, and taken back', async () => {
    const id = await newProject('Running of Larkspur')
    const page = await workspace.open('admin', { path: `/projects/${id}/plan` })
    await page.getByRole('button', { name: 'Choose a template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add from template' })
    await dialog.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^Clinic onboarding/ }).click()
    await dialog.getByLabel('Start on').fill('2031-03-03')
    await dialog.getByRole('checkbox', { name: /^Kick-off/ }).click()
    await dialog.getByText('Adds 2 milestones, 3 tasks.').waitFor()
    const preview = await shownIn(page)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByText('3 tasks added from Clinic onboarding').waitFor()
    assert.deepEqual(await planOf(id), preview)
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await undone
    assert.deepEqual(await planOf(id), [])
    // what the project has already is left out
    await call('POST', `/api/templates/template/${template}/use/`, {
      project_id: id,
      milestones: [0],
    })
    await page.getByRole('button', { name: 'Add from template' }).click()
    await dialog.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^Clinic onboarding/ }).click()
    await dialog.getByText('2 tasks, already in the plan').waitFor()
    await dialog.getByText('Adds 2 milestones, 3 tasks.').waitFor()
  })

  test('are added behind a milestone, without the tasks that the project has, unless these are ticked', async () => {
    const id = await newProject('Half planned')
    const milestones = `/api/project/info/${id}/milestones/`
    await call('POST', milestones, { name: 'Contract' })
    await call('POST', milestones, { name: 'Handover' })
    const ids = await call('GET', `/api/project/info/${id}/plan/`)
    const [contract] = ids.milestones
    await call('POST', '/api/tasks/', {
      title: 'export',
      project_id: id,
      milestone_id: contract.milestone_id,
    })
    const page = await workspace.open('admin', { path: `/projects/${id}/plan` })
    await page.getByRole('button', { name: 'Add from template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add from template' })
    await dialog.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^Clinic onboarding/ }).click()
    const there = dialog
      .getByRole('group', { name: 'Of Data and access already in the plan' })
      .getByRole('checkbox')
    await there.waitFor()
    assert.equal(await there.isChecked(), false)
    await dialog.getByText('Adds 3 milestones, 4 tasks.').waitFor()
    await dialog.getByRole('combobox', { name: 'Place' }).click()
    await page.getByRole('option', { name: 'After Contract' }).click()
    // the preview is dimmed until it is that of this place
    await dialog.locator('button[type=submit]:enabled').waitFor()
    await picture(page, 'add-from-template')
    assert.deepEqual(await problemsOf(page), [])
    const added = page.waitForResponse(
      (response) => response.url().endsWith('/use/') && !response.request().postDataJSON().dry_run,
    )
    await dialog.getByRole('button', { name: 'Add' }).click()
    assert.ok((await added).ok())
    await page.getByText('4 tasks added from Clinic onboarding').waitFor()
    const names = async () => {
      const { milestones: rows, tasks } = await call('GET', `/api/project/info/${id}/plan/`)
      const title = (row: { [field: string]: string }) => row.name ?? row.title
      return [rows.map(title), tasks.map(title).toSorted()]
    }
    assert.deepEqual(await names(), [
      ['Contract', 'Kick-off', 'Data and access', 'Go-live', 'Handover'],
      ['Agree on the dates', 'Go live', 'Import', 'Meet', 'export'],
    ])
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await undone).status(), 200)
    assert.deepEqual(await names(), [['Contract', 'Handover'], ['export']])
  })

  test('are made of a project, without the name of its customer', async () => {
    await call('POST', '/api/account/info/', { account_name: 'Larkspur Works' })
    const [account] = await call(
      'GET',
      '/api/account/info/?page=1&items_per_page=1&q=Larkspur%20Works',
    )
    await call('POST', `/api/templates/template/${template}/use/`, {
      project_name: 'Onboarding of Larkspur',
      account_id: account.account_id,
      start_date: '2026-03-02',
    })
    const [project] = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=1&project_type=project&q=Onboarding%20of%20Larkspur',
    )
    const page = await workspace.open('admin', { path: `/projects/${project.project_id}` })
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    await dialog.getByRole('checkbox', { name: /^Larkspur/ }).waitFor()
    assert.equal(
      await dialog.getByLabel('Name', { exact: true }).inputValue(),
      'Onboarding of the customer',
    )
    await picture(page, 'save-template')
    assert.deepEqual(await problemsOf(page), [])
    // as they really were: an export of five days that took nine
    const { tasks } = await call('GET', `/api/project/info/${project.project_id}/plan/`)
    const exported = tasks.find(({ title }: { title: string }) => title === 'Export')
    await call('PUT', `/api/tasks/${exported.item_id}/`, { is_completed: true })
    await dialog.getByRole('radio', { name: 'As they really were' }).click()
    await dialog.locator('button[type=submit]:enabled').waitFor()
    await dialog.getByRole('button', { name: 'Save template' }).click()
    await page.getByText('Saved as template Onboarding of the customer').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'Onboarding of the customer' }).waitFor()
    const saved = (await call('GET', '/api/templates/template/?page=1&items_per_page=100')).find(
      (each: any) => each.template_name === 'Onboarding of the customer',
    )
    const { template_config: config } = await call(
      'GET',
      `/api/templates/template/${saved.template_id}/`,
    )
    const took = config.stages
      .flatMap((stage: any) => stage.tasks)
      .find((task: any) => task.title === 'Export').duration_days
    assert.ok(took > 100, `${took} days`)
    for (const { full_name } of workspace.demo.people) {
      assert.ok(!JSON.stringify(config).includes(full_name), full_name)
    }
    // and in a project of its own there is neither the customer nor anybody
    await page.getByRole('button', { name: 'Use Onboarding of the customer' }).click()
    const use = page.getByRole('dialog', { name: 'New project' })
    await use.getByLabel('Project name').fill('The next one')
    await use.getByText(/Creates 1 project/).waitFor()
    await use.locator('button[type=submit]:enabled').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/projects\//)
    const plan = await call('GET', `/api/project/info/${idIn(page)}/plan/`)
    assert.doesNotMatch(JSON.stringify(plan), /Larkspur/)
    assert.equal(plan.tasks.length, 5)
    // others learn from what is finished
    await call('DELETE', `/api/project/info/${project.project_id}/`)
  })

  test('are suggested by what projects took, and taken over line by line', async () => {
    for (const project_name of ['First clinic', 'Second clinic']) {
      const { project_id } = await call('POST', `/api/templates/template/${template}/use/`, {
        project_name,
        start_date: '2026-03-02',
      })
      const { tasks, milestones } = await call('GET', `/api/project/info/${project_id}/plan/`)
      await call('POST', '/api/tasks/', {
        title: 'Access for the help desk',
        milestone_id: milestones[1].milestone_id,
      })
      for (const { item_id, title } of tasks) {
        if (title === 'Agree on the dates') await call('DELETE', `/api/tasks/${item_id}/`)
        else await call('PUT', `/api/tasks/${item_id}/`, { is_completed: true })
      }
    }
    for (const [screen, theme] of [
      ['phone', 'light'],
      ['wide', 'dark'],
      ['wide', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { path: '/templates', screen, theme })
      await page.getByRole('tab', { name: 'Suggested' }).click()
      await page.getByLabel('What is the project about?').fill('Clinic')
      await page.keyboard.press('Enter')
      await page.getByText('What 2 past projects took. Based on Clinic onboarding').waitFor()
      await page.getByText('added in 2 of 2 projects').waitFor()
      assert.equal(await page.getByText('Agree on the dates').count(), 0)
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `suggested-${screen}-${theme}`)
      if (theme === 'dark' || screen === 'phone') {
        // each page listens to a stream, of which a person has a few
        await page.context().close()
        continue
      }
      await page.getByRole('checkbox', { name: 'Import', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('What clinics take')
      await page.getByRole('button', { name: 'Create a template of 4 tasks' }).click()
      await page.getByRole('heading', { name: 'What clinics take' }).waitFor()
      const made = await call('GET', `/api/templates/template/${idIn(page)}/`)
      assert.deepEqual(
        made.template_config.stages.map(({ tasks }: { tasks: { title: string }[] }) =>
          tasks.map(({ title }) => title),
        ),
        [['Meet'], ['Export', 'Access for the help desk'], ['Go live']],
      )
      assert.doesNotMatch(JSON.stringify(made.template_config), /evidence/)
      const gone = page.waitForResponse((response) => response.request().method() === 'DELETE')
      await page.getByRole('button', { name: 'Undo' }).click()
      assert.ok((await gone).ok())
      await page.getByRole('tab', { name: 'Suggested', selected: true }).waitFor()
    }
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`are shown and used without findings of axe, ${screen}, ${theme}`, async () => {
      const page = await workspace.open('admin', { path: '/templates', screen, theme })
      await page.getByRole('heading', { name: 'Clinic onboarding' }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `gallery-${screen}-${theme}`)
      await page.getByRole('button', { name: 'Use Clinic onboarding' }).click()
      const dialog = page.getByRole('dialog', { name: 'New project' })
      await dialog.getByLabel('Start on').fill('2031-03-03')
      await dialog.getByText('Creates 1 project, 3 milestones, 5 tasks.').waitFor()
      const width = await dialog.evaluate((popup) => popup.scrollWidth - popup.clientWidth)
      assert.ok(width <= 0, `the dialog is ${width} px too narrow`)
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `use-${screen}-${theme}`)
    })
  }
})
