import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { firstRows } from '../support/first-rows.ts'
import { whenSettled } from '../support/settled.ts'
import { pages } from './pages.ts'
import type { screens, TestWorkspace, Who } from '../support/workspace.ts'
import { faultsOf, startWorkspace } from '../support/workspace.ts'

const usual = ['admin', 'member', 'customer'] as const
const folder = process.env.PICTURES

/**
 * Checks every screen as every person who may see it: no findings of axe, no error, no breach of the
 * policy, no sideways scroll. `PICTURES=folder` stores what it looks like.
 */
export function lookAtPages(screen: keyof typeof screens, theme: 'light' | 'dark'): void {
  describe(`every screen, ${screen}, ${theme}`, { skip: noBrowser() }, () => {
    let workspace: TestWorkspace
    const firsts = new Map<string, string>()

    before(async () => {
      workspace = await startWorkspace()
    })

    /** The first record of a module that an admin sees. */
    async function firstOf(module: string): Promise<string> {
      const known = firsts.get(module)
      if (known) return known
      const call = await workspace.as('admin')
      const described = await call('GET', `/api/modules/${module}/`)
      const [first] = await call('GET', firstRows(module, described, 1))
      const id: string = first[described.key]
      firsts.set(module, id)
      return id
    }

    for (const who of new Set(pages.flatMap(({ seenBy = usual }) => seenBy))) {
      test(`as ${who ?? 'nobody'}`, async (t) => {
        const page = await workspace.open(who, { screen, theme })
        const settled = whenSettled(page)
        const own = pages.filter(({ seenBy = usual }) => seenBy.includes(who))
        for (const { path, heading, module } of own) {
          await t.test(path, async () => {
            await page.goto(module ? path.replace('$id', await firstOf(module)) : path)
            await page.getByRole('heading', { level: 1, name: heading }).first().waitFor()
            await settled()
            await picture(page, { path, who, theme, screen })
            assert.deepEqual(await problemsOf(page), [])
            assert.deepEqual(await coveredValues(page), [])
            // taken out, so that a fault fails the page that had it and not those after it
            assert.deepEqual(faultsOf(page).splice(0), [])
          })
        }
        await page.context().close()
      })
    }
  })
}

/** Values of a record that a button beside them lies upon. */
function coveredValues(page: Page): Promise<string[]> {
  return page.locator('dd').evaluateAll((values) =>
    values.flatMap((value) => {
      const link = value.querySelector('a')?.getBoundingClientRect()
      const button = [...value.querySelectorAll('button')].find(
        (each) => getComputedStyle(each).opacity !== '0',
      )
      if (!link || !button || button.querySelector('a')) return []
      const { left, right, top, bottom } = button.getBoundingClientRect()
      const isApart =
        right <= link.left || left >= link.right || bottom <= link.top || top >= link.bottom
      return isApart ? [] : [value.textContent]
    }),
  )
}

type Shown = { path: string; who: Who | null; theme: string; screen: string }

async function picture(page: Page, { path, who, theme, screen }: Shown) {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const name = path.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '') || 'home'
  const file = `${name}.${who ?? 'nobody'}.${screen}.${theme}.png`
  await page.screenshot({ path: join(folder, file), animations: 'disabled' })
}
