import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { copyOf } from '../../kit/record/copy.ts'
import type { Row } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { insert } from '../../kit/write/write.ts'
import { Template } from '../../model/templates/template.ts'

/** A copy of a template, named in the body or after its source; never the default one. */
export async function duplicateTemplate(
  ctx: Context,
  id: string,
  { template_name }: { template_name?: string },
) {
  const found = await ctx.one<{ source: Row<typeof Template> }>(sql`
    select row_to_json(t) as source from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Template')
  const { source } = found
  const name = template_name ?? `${source.template_name} (copy)`.slice(0, 255)
  return insert(ctx, Template, { ...copyOf(Template, source), template_name: name })
}
