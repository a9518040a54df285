import assert from 'node:assert/strict'
import type { TestOrganization, TestService } from './service.ts'
import { rows, sql } from './service.ts'

export type Row = { [column: string]: any }

/** What one caller sees of everything, read through the lists that it may read; `shown` is what a list says of a row. */
export type Seen = { [list: string]: Row[] }

/** Tables as they are stored, with what nobody is shown too. */
export async function storedRows(
  service: TestService,
  { id }: TestOrganization,
  tables: readonly string[],
): Promise<{ [table: string]: Row[] }> {
  const found = tables.map(async (table) => {
    const its = await rows<Row>(
      service,
      sql`select * from ${sql.table(table)} where organization_id = ${id}`,
    )
    return [table, its] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/** The stored rows that the lists show to a caller. */
export async function seenBy(
  service: TestService,
  raw: { [table: string]: Row[] },
  token: string,
): Promise<Seen> {
  const read = async (path: string, key: string, table: string, size = 500) => {
    const found: Row[] = []
    for (let page = 1; ; page++) {
      const mark = path.includes('?') ? '&' : '?'
      const at = `${path}${mark}page=${page}&items_per_page=${size}`
      const { status, body, text } = await service.call('GET', at, { token })
      assert.equal(status, 200, `${path} ${text}`)
      const list = Array.isArray(body) ? body : (body.results ?? body.data)
      found.push(...list)
      if (list.length < size) break
    }
    const shown = new Map(found.map((each) => [each[key], each]))
    return raw[table]!.filter(({ id }) => shown.has(id)).map((row): Row => ({
      ...row,
      shown: shown.get(row.id),
    }))
  }
  const both = await read('/api/project/info/', 'project_id', 'projects')
  const milestones = await Promise.all(
    both.map(({ id }) => read(`/api/project/info/${id}/milestones/`, 'milestone_id', 'milestones')),
  )
  const surveys = await service.call('GET', '/api/surveys/?page_size=100', { token })
  const ids = surveys.body.map(({ survey_id }: Row) => survey_id)
  return {
    deals: both.filter(({ project_type }) => project_type === 'deal'),
    projects: both.filter(({ project_type }) => project_type === 'project'),
    milestones: milestones.flat(),
    tasks: await read('/api/tasks/', 'item_id', 'tasks'),
    accounts: await read('/api/account/info/', 'account_id', 'accounts'),
    companies: await read('/api/company/', 'company_id', 'companies'),
    contacts: await read('/api/contact/', 'contact_id', 'contacts'),
    meetings: await read('/api/calendar/info/', 'calendar_id', 'meetings'),
    activities: await read('/api/activity/log/', 'log_id', 'events'),
    responses: raw.survey_responses!.filter(({ survey_id }) => ids.includes(survey_id)),
  }
}
