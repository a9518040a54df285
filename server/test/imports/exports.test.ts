import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'
import { bringing } from './bring.ts'

type Row = { [field: string]: any }

const folder = join(import.meta.dirname, 'files', 'exports')
const lists: { [module: string]: string } = {
  contacts: '/api/contact/',
  companies: '/api/company/',
  deals: '/api/project/info/?project_type=deal',
  projects: '/api/project/info/?project_type=project',
  tasks: '/api/tasks/',
}
/** What the service makes of a record, and no file says. */
const ours = new Set(
  `pipeline_id stage_id stages pipeline_stages milestone_status insights rank recent_activities
  calculated_revenue formatted_deal_value formatted_revenue current_stage project_type
  project_type_str visible_to_all object_source item_type visibility record_source task_id account_id
  organization_id contact_id company_id project_id item_id id version creation_time last_update_time
  created_by health stage_history permissions pipeline sub_items time_left profile_image_url`.split(
    /\s+/,
  ),
)

/** A value as people read it: records by their names, custom fields by their keys. */
function brief(value: any): unknown {
  if (Array.isArray(value)) {
    if (!value[0]?.key) return value.map(brief)
    const filled = value.filter((each) => each.value !== null && each.value !== '')
    return Object.fromEntries(filled.map((each) => [each.key, each.value]))
  }
  if (typeof value !== 'object' || value === null) return value
  const { full_name, company_name, account_name, stage_name, status_name } = value
  return (
    full_name ??
    company_name ??
    account_name ??
    stage_name ??
    status_name ??
    value.project_name ??
    value.value ??
    value
  )
}

/** Every filled field of records that a file may say, in an order that follows from them. */
function filled(module: string, rows: Row[]): Row[] {
  const titles = new Map(
    rows.map((row) => [row.item_id ?? row.company_id, row.title ?? row.company_name]),
  )
  const all = rows.map((row) => {
    const { parent_id, parent_company } = row
    const named = {
      ...row,
      ...(parent_id ? { parent_id: titles.get(parent_id) } : {}),
      ...(parent_company ? { parent_company: titles.get(parent_company) } : {}),
      // that of a deal is its stage
      ...(module === 'deals' ? { status: null } : {}),
    }
    const fields = Object.entries(named)
      .filter(([name]) => !ours.has(name))
      .map(([name, value]): [string, unknown] => [name, brief(value)])
    const empty = [null, false, 0, '', '[]', '{}']
    return Object.fromEntries(
      fields.filter(([, value]) => {
        const plain = value !== null && typeof value === 'object' ? JSON.stringify(value) : value
        return !empty.some((each) => each === plain)
      }),
    )
  })
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

describe('an export with what such exports have', () => {
  let service: TestService

  before(async () => {
    service = await startService({}, undefined, true)
  })

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    test(`arrives right to the last cell, or is reported: ${file}`, async () => {
      const org = await makeOrganization(service)
      const { bring, list } = bringing(service, org)
      const read = (name: string) =>
        readFileSync(join(folder, name), 'utf8')
          .replaceAll('OWNER_NAME', `member of ${org.name}`)
          .replaceAll('OWNER_EMAIL', org.users.member.email)
      const { module, rows, reported } = JSON.parse(read(file.replace('.csv', '.json'))) as {
        module: string
        rows: Row[]
        reported: [line: number, reason: string][]
      }
      const done = await bring(module, read(file))
      assert.deepEqual(
        done.errors.map(({ line, reason }: Row) => [line, reason]),
        reported,
      )
      assert.deepEqual(filled(module, await list(lists[module]!)), sorted(rows))
      const again = await bring(module, read(file), { on_duplicate: 'update' })
      assert.deepEqual([again.created, again.updated], [0, 0])
    })
  }
})

function sorted(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
