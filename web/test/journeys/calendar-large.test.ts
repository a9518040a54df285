import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { sql } from '../../../server/test/support/service.ts'
import { slowness } from '../../../server/test/support/speed.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A month of 2,000 meetings of a team. Times are divided by how slow this machine is now, and printed.

describe('a calendar with 2,000 meetings a month', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace()
    const { organization_id } = workspace.demo
    const call = await workspace.as('admin')
    const { user } = await call('GET', '/api/session/')
    // 2,000 in each of two months, most of them in working hours
    await workspace.service.runtime.database.transaction(organization_id, (queries) =>
      queries.run(sql`
        insert into meetings (organization_id, id, title, starts_at, ends_at, created_by)
        select ${organization_id}, 'large' || lpad(n::text, 20, '0'), 'Meeting ' || n,
          s, s + interval '30 minutes', ${user.user_id}
        from generate_series(0, 3999) n,
          lateral (select timestamptz '2033-03-01 07:00Z' + make_interval(days => n % 60,
            mins => (n / 60) * 15 % 660)) x (s)`),
    )
  })

  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

  test('is shown, changes its month and is dragged in time', async (t) => {
    const checks: [what: string, value: number, most: number][] = []
    const say = (what: string, ms: number, most: number) => {
      const value = ms / slowness()
      t.diagnostic(`${what}: ${value.toFixed(1)} of ${most} ms`)
      checks.push([what, value, most])
    }
    const shown = (page: Page) => page.locator('[data-stale=false]').waitFor()
    /** From the call to the paint that follows what it has changed, inside the page. */
    const painted = (page: Page, key: string, holds: string) =>
      page.evaluate(
        async ([pressed, wanted]) => {
          const start = performance.now()
          const target = document.activeElement ?? document.body
          target.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
          while (!document.querySelector(wanted)) await new Promise(requestAnimationFrame)
          await new Promise(requestAnimationFrame)
          return performance.now() - start
        },
        [key, holds] as const,
      )
    const page = await workspace.open('admin', { path: '/calendar?on=2033-03-16&as=month' })
    await page.locator('[data-entry]').first().waitFor()
    for (const as of ['month', 'week'] as const) {
      const times: number[] = []
      for (let n = 0; n < 3; n++) {
        const answers: Promise<unknown>[] = []
        let bytes = 0
        const count = (reply: { url(): string; body(): Promise<Buffer> }) => {
          if (reply.url().includes('/api/calendar/info/'))
            answers.push(reply.body().then((body) => (bytes += body.length)))
        }
        page.on('response', count)
        const start = performance.now()
        await page.goto(`/calendar?on=2033-03-16&as=${as}`)
        await page.locator('[data-entry]').first().waitFor()
        await shown(page)
        times.push(performance.now() - start)
        page.off('response', count)
        await Promise.all(answers)
        t.diagnostic(`${as}: ${answers.length} requests, ${Math.round(bytes / 1000)} kB`)
      }
      say(
        `${as} until its meetings stand, with the page`,
        median(times),
        as === 'month' ? 3000 : 2000,
      )
      assert.deepEqual(await problemsOf(page), [], as)
      await picture(page, `calendar-large-${as}`)
    }

    await page.goto('/calendar?on=2033-03-16&as=month')
    await shown(page)
    // there and back: the second time both are cached
    const steps: number[] = []
    for (let n = 0; n < 6; n++) {
      const [key, day] = n % 2 ? ['[', '2033-03-16'] : [']', '2033-04-16']
      const ms = await painted(page, key ?? '', `[data-stale=false] [data-day="${day}"]`)
      await shown(page)
      if (n > 1) steps.push(ms)
    }
    say('another month, cached', median(steps), 150)

    await page.goto('/calendar?on=2033-03-16&as=week')
    await shown(page)
    const from = await page.locator('[data-day="2033-03-16"] [data-entry]').nth(6).boundingBox()
    assert.ok(from)
    await page.mouse.move(from.x + 4, from.y + 6)
    await page.mouse.down()
    await page.mouse.move(from.x + 12, from.y + 16)
    await page.evaluate(() => {
      const frames: number[] = []
      let last = performance.now()
      const frame = () => {
        frames.push(performance.now() - last)
        last = performance.now()
        requestAnimationFrame(frame)
      }
      Object.assign(window, { frames })
      requestAnimationFrame(frame)
    })
    for (let n = 0; n < 60; n++) await page.mouse.move(from.x + 12 + n, from.y + 16 + n * 2)
    const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    say('a frame of dragging', median(frames.slice(1)), 17)
    for (const [what, value, most] of checks) assert.ok(value <= most * 2, `${what}: ${value} ms`)
  })
})
