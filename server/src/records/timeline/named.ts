import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { scope } from '../../kit/record/scope.ts'
import { subjectsByModule } from '../../model/by-module.ts'
import type { Logged, Named } from './sentences.ts'

/** A log entry as it is read, and the record that it is about. */
export type FromLog = Logged & { id: string; module_id: number | null; reference_id: string | null }

/** The name, at the time of the entry, of a record that was deleted or that the caller may not read. */
export function formerName({ raw_description, module_id, reference_id }: FromLog): Named | null {
  const { name } = raw_description
  const word = module_id === null ? undefined : moduleWord(module_id)
  const record = word === undefined ? undefined : subjectsByModule[word]
  if (!record || reference_id === null || typeof name !== 'string') return null
  return { type: record.word, id: reference_id, name }
}

type About = { module_id: number | null; reference_id: string | null }

/** The records that entries are about, as far as the caller may read them: one query per module. */
export async function recordsNamed(
  ctx: Context,
  about: (About | undefined)[],
): Promise<Map<string, Named>> {
  const named = new Map<string, Named>()
  const byModule = Map.groupBy(
    about.filter((each) => each !== undefined),
    ({ module_id }) => module_id,
  )
  await Promise.all(
    [...byModule].map(async ([module, its]) => {
      const word = module === null ? undefined : moduleWord(module)
      const record = word === undefined ? undefined : subjectsByModule[word]
      if (!record) return
      const ids = [...new Set(its.map(({ reference_id }) => reference_id))]
      const title = sql.ref(`t.${record.fields[record.title]?.column ?? record.title}`)
      const found = await ctx.all<{ id: string; name: string }>(sql`
        select t.id, ${title} as name from ${sql.table(record.table)} t
        where ${scope(ctx, record, 'read')} and t.id = any(${ids}::varchar[])`)
      for (const { id, name } of found)
        named.set(`${module} ${id}`, { type: record.word, id, name })
    }),
  )
  return named
}
