import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { sql } from '../../../server/test/support/service.ts'
import { slowness } from '../../../server/test/support/speed.ts'
import { isStored, planCell as cell, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A plan of 500 tasks in five levels. Times are divided by how slow this machine is now, and printed.

const tasksOf = 50

describe('a plan of 500 tasks', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let plan: Awaited<ReturnType<typeof planProject>>

  before(async () => {
    workspace = await startWorkspace()
    const call = await workspace.as('admin')
    const names = Array.from({ length: 10 }, (_, n) => `Phase ${n + 1}`)
    plan = await planProject(call, 'Large', Object.fromEntries(names.map((name) => [name, []])))
    const { milestones } = await plan.read()
    const { organization_id } = workspace.demo
    // the levels of ten tasks: 1, 2, 3, 4, 5, 1, 2, 3, 2, 1 below a milestone
    const above = [null, 0, 1, 2, 3, null, 5, 6, 5, null]
    const id = (phase: number, at: number) => `large${String(phase * 1000 + at).padStart(20, '0')}`
    const rows = milestones.flatMap(({ milestone_id }: { milestone_id: string }, phase: number) =>
      Array.from({ length: tasksOf }, (_, at) => {
        const parent = above[at % 10] ?? null
        return {
          id: id(phase, at),
          title: `Task ${phase + 1}-${at + 1}`,
          milestone_id,
          parent_id: parent === null ? null : id(phase, at - (at % 10) + parent),
          due_date: `2020-${String(phase + 1).padStart(2, '0')}-15`,
          is_completed: at % 10 !== 9,
        }
      }),
    )
    await workspace.service.runtime.database.transaction(organization_id, (queries) =>
      queries.run(sql`
        insert into tasks
          (organization_id, id, title, project_id, milestone_id, parent_id, due_date, is_completed)
        select ${organization_id}, r.id, r.title, ${plan.project_id}, r.milestone_id, r.parent_id,
          r.due_date, r.is_completed
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id text, title text,
          milestone_id text, parent_id text, due_date date, is_completed boolean)`),
    )
  })

  /** The time until the page has painted what a key has changed, in ms. */
  async function keyToPaint(page: Page, key: string): Promise<number> {
    await page.evaluate(() => {
      const times: number[] = []
      Object.assign(window, { painted: times })
      addEventListener(
        'keydown',
        ({ timeStamp }) =>
          requestAnimationFrame(() =>
            setTimeout(() => times.push(performance.now() - timeStamp), 0),
          ),
        { once: true, capture: true },
      )
    })
    await page.keyboard.press(key)
    return page.evaluate(async () => {
      const { painted } = window as unknown as { painted: number[] }
      while (painted[0] === undefined) await new Promise(requestAnimationFrame)
      return painted[0]
    })
  }

  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

  test('is one request, few elements and fast keys, and all its rows can be reached', async (t) => {
    const say = (what: string, value: number, most: number, unit: string) =>
      t.diagnostic(`${what}: ${value.toFixed(1)} of ${most} ${unit}`)
    const page = await workspace.open('admin', { path: '/projects' })
    await page.getByRole('heading', { name: 'Projects' }).first().waitFor()
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const answer = page.waitForResponse((reply) => reply.url().endsWith('/plan/'))
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const spent = async (on: string) => {
      const { metrics } = await session.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === `${on}Duration`)?.value ?? 0) * 1000
    }
    await page.goto(plan.path)
    const body = await (await answer).body()
    const size = gzipSync(body).length / 1000
    say('plan/', size, 60, 'kB as gzip')
    await cell(page, 'Task 1-1').waitFor()
    const factor = slowness()
    t.diagnostic(`machine: ${factor.toFixed(2)} times slower than usual`)
    say(
      'script of the whole page until its rows stand',
      (await spent('Script')) / factor,
      1000,
      'ms',
    )
    assert.ok(size <= 60)
    assert.equal(requests.filter((path) => path.endsWith('/plan/')).length, 1)

    const elements = () => page.evaluate(() => document.querySelectorAll('*').length)
    const first = await elements()
    say('elements', first, 1700, '')
    assert.ok(first <= 1700, `${first} elements`)
    const grid = page.getByRole('treegrid', { name: 'Plan' })
    assert.equal(await grid.getAttribute('aria-rowcount'), '511')

    await cell(page, 'Task 1-1').focus()
    const downs: number[] = []
    for (let n = 0; n < 30; n++) downs.push(await keyToPaint(page, 'ArrowDown'))
    const down = median(downs) / slowness()
    say('a key until it is painted', down, 50, 'ms')
    assert.ok(down <= 50 * 2, `${down} ms`)

    // the row with the focus stays in the page when it is out of sight
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-cell'))
    const parts = ['Script', 'RecalcStyle', 'Layout', 'Task']
    const before = await Promise.all(parts.map(spent))
    const frames = await page.evaluate(async () => {
      const box = document.querySelector('[role="treegrid"]')?.parentElement
      const times: number[] = []
      let last = performance.now()
      while (box && box.scrollTop + box.clientHeight < box.scrollHeight - 2) {
        box.scrollTop += 320
        await new Promise(requestAnimationFrame)
        times.push(performance.now() - last)
        last = performance.now()
      }
      return times
    })
    say('a frame of scrolling, median', median(frames) / slowness(), 32, 'ms')
    const after = await Promise.all(parts.map(spent))
    for (const [at, part] of parts.entries()) {
      const each = ((after[at] ?? 0) - (before[at] ?? 0)) / frames.length / slowness()
      t.diagnostic(`of a frame, ${part}: ${each.toFixed(1)} ms`)
    }
    say('the longest', Math.max(...frames) / slowness(), 32, 'ms')
    await cell(page, `Task 10-${tasksOf}`).waitFor()
    assert.ok((await elements()) <= 1700, `${await elements()} elements at the end`)
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('data-cell')),
      focused,
    )

    await page.keyboard.press('Control+Home')
    await cell(page, 'Phase 1').click()
    await page.keyboard.press('_')
    await cell(page, 'Task 1-1').waitFor({ state: 'detached' })
    await page.keyboard.press('*')
    await cell(page, 'Task 1-1').waitFor()

    await page.getByRole('button', { name: 'Show: all' }).click()
    const late = page.getByRole('menuitemradio', { name: 'Late' })
    await late.waitFor()
    const start = performance.now()
    await late.click()
    await page.getByText('50 of 500 tasks shown').waitFor()
    say('the filter “late”', (performance.now() - start) / slowness(), 1000, 'ms with the click')
    await page.getByRole('button', { name: 'Clear' }).click()
    await cell(page, 'Task 1-2').waitFor()
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })

    // fifty rows are indented as one
    await cell(page, 'Task 1-1').click({ position: { x: 300, y: 10 } })
    await page.keyboard.press('x')
    for (let n = 0; n < 49; n++) await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('toolbar', { name: '50 rows selected' }).waitFor()
    const levels = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('tr[data-row][aria-selected="true"]')]
          .map((row) => row.getAttribute('aria-level'))
          .join(),
      )
    const was = await levels()
    const indent = (await keyToPaint(page, '>')) / slowness()
    say('fifty rows are indented', indent, 100, 'ms')
    await page
      .getByText(/Moved \d+ rows/)
      .first()
      .waitFor()
    assert.notEqual(await levels(), was)
    assert.ok(indent <= 100 * 3, `${indent} ms`)
    await page.keyboard.press('Control+z')
  })

  test('the number and the title stay in sight when it is scrolled sideways', async () => {
    const page = await workspace.open('admin', { path: plan.path })
    await page.setViewportSize({ width: 900, height: 700 })
    await cell(page, 'Task 1-1').waitFor()
    const box = () => cell(page, 'Task 1-1').boundingBox()
    const was = await box()
    await page.evaluate(() => {
      const scroll = document.querySelector('[role="treegrid"]')?.parentElement
      if (scroll) scroll.scrollLeft = 400
    })
    assert.equal((await box())?.x, was?.x)
    await isStored(async () => (await plan.read()).tasks.length, 500)
  })
})
