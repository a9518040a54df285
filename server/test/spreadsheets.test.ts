import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { american } from './spreadsheets/american.ts'
import { bring } from './spreadsheets/bring.ts'
import { german } from './spreadsheets/german.ts'
import { romance } from './spreadsheets/romance.ts'
import { workbooks } from './spreadsheets/workbooks.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

const sheets = [...german, ...romance, ...american, ...workbooks]

describe('spreadsheets as people send them', () => {
  let service: TestService
  const none = () => ({ right: 0, reported: 0, wrong: 0, lost: 0 })
  const sums = { people: none(), others: none() }

  before(async () => {
    service = await startService({}, undefined, true)
  })

  test('there are forty of them', () => assert.equal(sheets.length, 40))

  for (const sheet of sheets) {
    test(sheet.name, async () => {
      const org = await makeOrganization(service)
      if (sheet.module === 'milestones') {
        const { token } = org.users.admin
        const body = { project_name: 'Existing project' }
        assert.equal(
          (await service.call('POST', '/api/project/info/', { token, body })).status,
          201,
        )
      }
      const { right, reported, wrong, lost } = await bring(service, org, sheet)
      const isOfPeople = ['companies', 'contacts'].includes(sheet.module)
      const sum = isOfPeople ? sums.people : sums.others
      sum.right += right
      sum.reported += reported
      sum.wrong += wrong.length
      sum.lost += lost.length
      assert.deepEqual([wrong, lost, reported], [[], [], 0])
    })
  }

  // the figures of bench/results/spreadsheets.md
  test('counted', (t) => t.diagnostic(JSON.stringify(sums)))
})
