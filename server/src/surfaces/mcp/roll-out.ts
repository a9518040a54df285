import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { readOne } from '../../kit/read/one.ts'
import { scope } from '../../kit/record/scope.ts'
import { Project } from '../../model/projects/project.ts'
import { Template } from '../../model/templates/template.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { projects } from '../../records/projects/operations.ts'

const { project_name, start_date } = projects.convert.input.body.properties

/** The project of a won deal, made by the first call; a later one answers with it. */
export const convertWonDeal = operation({
  ...projects.convert,
  name: 'convert_won_deal',
  scope: 'project.write',
  input: {
    params: byId,
    body: Type.Object({
      template: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'the id or name of a template' }),
      ),
      project_name,
      start_date,
    }),
  },
  async run(ctx, input) {
    requireScope(ctx.actor, 'deal.read')
    const { template, ...rest } = input.body
    const body = template ? { ...rest, template_id: await templateNamed(ctx, template) } : rest
    try {
      return await projects.convert.run(ctx, { ...input, body })
    } catch (error) {
      const existing =
        error instanceof Failure && error.code === 'duplicate' ? error.data : undefined
      const { project_id } = (existing ?? {}) as { project_id?: string }
      if (project_id === undefined) throw error
      return readOne(ctx, Project, project_id)
    }
  },
})

/** A template of projects by its id or its whole name, in any case; 400 where several or none is meant. */
async function templateNamed(ctx: Context, named: string): Promise<string> {
  const found = await ctx.all<{ id: string }>(sql`select t.id from templates t
    where ${all(scope(ctx, Template, 'read'), sql`t.template_type = 'project'`)}
      and (t.id = ${named} or lower(t.template_name) = lower(${named.trim()}))
    order by t.id = ${named} desc, t.id limit 2`)
  const [first, second] = found
  if (!first) throw badField('template', 'no template is called so: find_records lists them')
  if (second && first.id !== named) {
    throw badField('template', `several are called so: ${found.map(({ id }) => id).join(', ')}`)
  }
  return first.id
}
