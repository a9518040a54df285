import type { Context, Query } from '../../kit/ground/context.ts'
import { idsListed } from '../../kit/ground/ids.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { subjectOf } from '../timeline/subject.ts'

const customers = ['account_id', 'company_id', 'contact_id'] as const

type Named = { [name in (typeof customers)[number] | 'people' | 'projects']?: string }

/**
 * The meetings with customers, and of people or projects, as a condition over `t`; undefined where none is named. 404
 * for a customer that the caller may not read.
 */
export async function meetingsWith(ctx: Context, named: Named): Promise<Query | undefined> {
  const conditions = [meetingsOf(named) ?? []].flat()
  for (const name of customers) {
    const id = named[name]
    if (id === undefined) continue
    const { module, ids } = await subjectOf(ctx, name, id)
    conditions.push(sql`t.id in (select a.source_id from record_activity a
      where ${mine(ctx, 'a')} and a.subject_module = ${module}
        and a.subject_id = any(${ids}::varchar[]) and a.kind = 'meeting')`)
  }
  return conditions.length ? all(...conditions) : undefined
}

/** The maximum number of people, and of projects, whose meetings are listed together. */
const mostNamed = 50

/**
 * The meetings that one of these users organizes or is invited to, or that belong to one of these projects, as a
 * condition over `t`; undefined where nobody is named. Both are ids, separated by commas; 400 for too many.
 */
function meetingsOf(named: Pick<Named, 'people' | 'projects'>): Query | undefined {
  const { people, projects } = named
  if (!people && !projects) return undefined
  const ids = (text: string | undefined, name: 'people' | 'projects') =>
    text ? idsListed(text, name, { least: 1, most: mostNamed }) : []
  const users = ids(people, 'people')
  return sql`(t.created_by = any(${users}::varchar[])
    or t.project_id = any(${ids(projects, 'projects')}::varchar[])
    or exists (select from jsonb_array_elements(t.attendees) a
      where a ->> 'type' = 'user' and a ->> 'id' = any(${users}::varchar[])))`
}
