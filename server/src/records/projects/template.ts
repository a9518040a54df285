import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { contradiction } from '../../kit/record/names.ts'
import { scope } from '../../kit/record/scope.ts'
import type { TemplateConfig, TemplateRole } from '../../model/templates/config.ts'
import type { UsedTemplate } from '../templates/dated.ts'
import { Template } from '../../model/templates/template.ts'
import type { FlatProject } from './input.ts'

/**
 * The template in a body, by its name if it has no id, and its plan; a plan in the body itself
 * takes precedence.
 */
export async function templateFor(
  ctx: Context,
  body: Pick<FlatProject, 'org_temp_id' | 'template_id' | 'project_template'>,
): Promise<(UsedTemplate & { version: number | null }) | undefined> {
  const { org_temp_id, template_id, project_template } = body
  const sent = {
    org_temp_id,
    template_id,
    'project_template.template_id': project_template?.template_id,
  }
  const [[field, id] = ['template_id', undefined], ...others] = Object.entries(sent).filter(
    ([, each]) => each,
  )
  const other = others.find(([, each]) => each !== id)
  if (other) throw badField(other[0], contradiction(field))
  const own = project_template?.template_config
  const name = own?.stages?.length ? undefined : project_template?.template_name?.trim()
  if (!id && !name) return own ? { ...none, config: own } : undefined
  const named = id ? sql`t.id = ${String(id)}` : sql`t.template_name_key = lower(${name})`
  const found = await ctx.one<Found>(sql`
    select t.id, t.template_config as config, t.roles, t.published_version as version from templates t
    where ${scope(ctx, Template, 'read')} and ${named} and t.template_type = 'project'
    order by t.id limit 1`)
  if (!found) {
    // a client may send its own plan
    if (own) return { ...none, config: own }
    throw badField(id ? field : 'project_template.template_name', 'no such template')
  }
  // a plan of one's own is of no version
  return own?.stages?.length ? { ...found, config: own, version: null } : found
}

type Found = { id: string; config: TemplateConfig; roles: TemplateRole[]; version: number }

const none = { id: null, roles: [], version: null }
