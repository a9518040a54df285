import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { fieldNamed } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { subjectsByModule } from '../../model/by-module.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'

/** The record to which a search result belongs. */
export const parent = orNull(
  Type.Object(
    { module: Type.String(), id: Type.String(), title: Type.String() },
    {
      title: 'SearchParent',
      description:
        'the project of a task or milestone (the account of a task without one), the record of a comment',
    },
  ),
)
type Parent = Static<typeof parent>
type Found = { module: string; id: string }

const project = ProjectOrDeal.number ?? 0

type Belonging = { table: string; parents: { module: Query; id: Query }[] }

/**
 * The module number and the id of what a module's results belong to, over `t`; the parent is the first that the caller
 * may read, so that nobody learns whether there is another.
 */
const belonging: { [module: string]: Belonging } = {
  tasks: {
    table: 'tasks',
    parents: [
      { module: sql`${project}::int`, id: sql`t.project_id` },
      { module: sql`${Account.number}::int`, id: sql`t.account_id` },
    ],
  },
  milestones: {
    table: 'milestones',
    parents: [{ module: sql`${project}::int`, id: sql`t.project_id` }],
  },
  interactions: {
    table: 'interactions',
    parents: [{ module: sql`t.module_id`, id: sql`t.reference_id` }],
  },
}

/** Adds the parents of search results, if the caller may read them: one query per type of parent. */
export async function withParents<F extends Found>(
  ctx: Context,
  found: F[],
): Promise<(F & { parent: Parent })[]> {
  const links = await linksOf(ctx, found)
  const titles = new Map<string, Parent>()
  await Promise.all(
    [...Map.groupBy(links, ({ module }) => module)].map(async ([module, its]) => {
      const ids = its.map(({ parent_id }) => parent_id)
      for (const each of await titlesOf(ctx, module, ids)) titles.set(`${module} ${each.id}`, each)
    }),
  )
  const parents = Map.groupBy(links, (link) => `${link.of} ${link.id}`)
  return found.map((each) => {
    const [first = null] = (parents.get(`${each.module} ${each.id}`) ?? [])
      .toSorted((a, b) => a.place - b.place)
      .flatMap((link) => titles.get(`${link.module} ${link.parent_id}`) ?? [])
    return { ...each, parent: first }
  })
}

type Link = { of: string; id: string; place: number; module: number; parent_id: string }

async function linksOf(ctx: Context, found: Found[]): Promise<Link[]> {
  const selects = [...Map.groupBy(found, ({ module }) => module)].flatMap(([word, its]) => {
    const known = belonging[word]
    if (!known) return []
    const ids = its.map(({ id }) => id)
    return known.parents.map(
      ({ module, id }, place) => sql`select ${word}::text as of, t.id, ${place}::int as place,
          ${module} as module, ${id} as parent_id
        from ${sql.table(known.table)} t
        where ${mine(ctx)} and t.id = any(${ids}::varchar[]) and ${id} is not null`,
    )
  })
  return selects.length ? ctx.all<Link>(sql.join(selects, sql` union all `)) : []
}

async function titlesOf(ctx: Context, number: number, ids: string[]) {
  const word = moduleWord(number) ?? ''
  const isProject = word === 'projects' || word === 'deals'
  const record = isProject ? ProjectOrDeal : subjectsByModule[word]
  if (!record) return []
  const title = sql.ref(`t.${fieldNamed(record, record.title).column ?? record.title}`)
  // deals are in the same table
  const module = isProject ? sql`t.project_type || 's'` : sql`${word}::text`
  return ctx.all<NonNullable<Parent>>(sql`
    select ${module} as module, t.id, left(${title}, 255) as title from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.id = any(${ids}::varchar[])`)
}
