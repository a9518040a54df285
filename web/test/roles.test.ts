import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../server/test/support/browser.ts'
import { firstRows } from './support/first-rows.ts'
import { pages } from './pages/pages.ts'
import { whenSettled } from './support/settled.ts'
import type { TestWorkspace } from './support/workspace.ts'
import { faultsOf, startWorkspace } from './support/workspace.ts'

// Every page as every role that organizations begin with: it asks for nothing that is refused, has no error, and
// nothing in it loads for ever. What a role may not see is shown as that, in words.

const roles = ['admin', 'manager', 'member', 'observer', 'customer', 'partner'] as const

describe('every page, whoever opens it', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace()
  })

  for (const role of roles) {
    test(`asks for nothing that it is refused as ${role}`, async (t) => {
      const page = await workspace.open(role)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) {
          refused.push(`${response.request().method()} ${response.url()}`)
        }
      })
      const settled = whenSettled(page)
      const call = await workspace.as(role)
      for (const { path, module } of pages) {
        await t.test(path, async () => {
          const id = module ? await firstOf(call, module) : undefined
          await page.goto(path.replace('$id', id ?? 'nothing'))
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          // fails where anything is still loading
          await settled()
          assert.equal(await page.locator('[aria-busy=true], [data-loading]').count(), 0)
          assert.deepEqual(refused.splice(0), [])
          // a record that is hidden from the role is a 404, which the browser writes into its console
          const faults = faultsOf(page)
            .splice(0)
            .filter((fault) => id !== undefined || !module || !fault.includes('404'))
          assert.deepEqual(faults, [])
        })
      }
      await page.context().close()
    })
  }
})

type Call = Awaited<ReturnType<TestWorkspace['as']>>

/** The first record of a module that a role sees; undefined if it sees none. */
async function firstOf(call: Call, module: string): Promise<string | undefined> {
  const modules: { module: string; path: string; key: string }[] = await call(
    'GET',
    '/api/modules/',
  )
  const described = modules.find((each) => each.module === module)
  if (!described) return undefined
  const [first] = await call('GET', firstRows(module, described, 1))
  return first?.[described.key]
}
