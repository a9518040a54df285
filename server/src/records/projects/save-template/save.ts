import type { Static } from 'typebox'
import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { insert } from '../../../kit/write/write.ts'
import { completed, predecessorsOf } from '../../../model/templates/config.ts'
import { Template } from '../../../model/templates/template.ts'
import { checkPlan } from '../../templates/check-plan.ts'
import { planOf } from '../../templates/plan.ts'
import { configFrom } from './config.ts'
import { Replacement, formsOf } from './names.ts'
import { sourceOf } from './source.ts'

const body = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'write nothing (false)' })),
    template_name: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: 255,
        description: 'by default the name of the project, without its customer',
      }),
    ),
    description: Type.Optional(orNull(Type.String({ maxLength: 10_000 }))),
    durations: Type.Optional(
      enumeration(['planned', 'actual'], {
        title: 'TemplateDurations',
        description: 'as they are planned (default), or as finished tasks really took',
      }),
    ),
    people: Type.Optional(
      enumeration(['roles', 'none'], {
        title: 'TemplatePeople',
        description: 'each person becomes the role that they have (default), or nobody is named',
      }),
    ),
    dependencies: Type.Optional(Type.Boolean({ description: 'keep them (true)' })),
    descriptions: Type.Optional(
      Type.Boolean({ description: 'keep them, which may name people (false)' }),
    ),
    forms: Type.Optional(Type.Boolean({ description: 'keep the forms that tasks ask for (true)' })),
    estimates: Type.Optional(
      Type.Boolean({ description: 'keep how long tasks are expected to take (true)' }),
    ),
    keep_names: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: 20,
        description: 'names of the customer that stay in titles',
      }),
    ),
  },
  { additionalProperties: false },
)

/** A template from a project, as a dry run or as one write. */
export const saveAsTemplate = operation({
  name: 'save_project_as_template',
  summary: 'Save a project as a template',
  description:
    'Its milestones and tasks, as far as the caller may read them: dates become working days from the start, people ' +
    'roles. Comments, files, times and completion are left out, and the names of the account and the company become ' +
    '"the customer".',
  can: { module: 'templates', action: 'create' },
  writes: true,
  input: { params: byId, body },
  output: Type.Object(
    {
      template_id: orNull(Type.String({ description: 'null of a dry run' })),
      template_name: Type.String(),
      milestones: Type.Integer(),
      tasks: Type.Integer(),
      dependencies: Type.Integer(),
      working_days: Type.Integer({ description: 'from the first to the last day' }),
      roles: Type.Array(
        Type.Object(
          { role: Type.String(), tasks: Type.Integer() },
          { title: 'SavedRole', additionalProperties: false },
        ),
        { description: 'the roles that stand for people, and how many tasks each has' },
      ),
      names: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            titles: Type.Integer({ description: 'in how many texts it is replaced' }),
          },
          { title: 'ReplacedName', additionalProperties: false },
        ),
        { description: 'the names of the customer that are replaced' },
      ),
    },
    { title: 'SavedTemplate', additionalProperties: false },
  ),
  run: (ctx, input) => saved(ctx, input.params.id, input.body),
})

async function saved(ctx: Context, id: string, input: Static<typeof body>) {
  const source = await sourceOf(ctx, id)
  const staying = new Set((input.keep_names ?? []).map((name) => name.toLowerCase()))
  const replaced = new Replacement(
    formsOf(source.names).filter((name) => !staying.has(name.toLowerCase())),
  )
  const config = configFrom(
    source,
    {
      isActual: input.durations === 'actual',
      hasRoles: input.people !== 'none',
      hasLinks: input.dependencies ?? true,
      hasDescriptions: input.descriptions ?? false,
      hasForms: input.forms ?? true,
      hasEstimates: input.estimates ?? true,
    },
    replaced,
  )
  await checkPlan(ctx, config)
  const template_name = input.template_name ?? replaced.of(source.name)
  const plan = planOf(config)
  const tasks = plan.flatMap((milestone) => milestone.tasks)
  const roles = Map.groupBy(tasks, ({ assignee_role }) => assignee_role)
  const outcome = {
    template_name,
    milestones: plan.length,
    tasks: tasks.length,
    dependencies: tasks.reduce((sum, task) => sum + predecessorsOf(task).length, 0),
    working_days: Math.max(0, ...plan.map(({ end }) => end)),
    roles: [...roles].flatMap(([role, its]) =>
      role === undefined ? [] : { role, tasks: its.length },
    ),
    names: [...replaced.counts].map(([name, titles]) => ({ name, titles })),
  }
  if (input.dry_run) return { template_id: null, ...outcome }
  const template = await insert(ctx, Template, {
    template_name,
    description: input.description ?? null,
    template_type: 'project',
    template_config: completed(config),
  })
  return new Answer({ template_id: template.id, ...outcome }, { id: template.id })
}
