import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { currentFields } from '../../records/field-config/field-config.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Deal, Project } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { statusesOf } from '../../model/statuses/status.ts'

const records = {
  companies: Company,
  contacts: Contact,
  deals: Deal,
  projects: Project,
  tasks: Task,
}
const modules = ['companies', 'contacts', 'deals', 'projects', 'tasks'] as const
type Module = (typeof modules)[number]

const words = { companies: 'company', contacts: 'contact', deals: 'deal', projects: 'project' }

/** The fields of a module, with what belongs to them: the stages of deals, the statuses of tasks. */
export const getFields = operation({
  name: 'get_fields',
  summary: 'List the fields of a module, with their types and choices',
  can: 'signed_in',
  scope: null,
  writes: false,
  input: {
    body: Type.Object({ module: enumeration(modules) }, { additionalProperties: false }),
  },
  output: Type.Object({ module: Type.String(), fields: Type.Array(Type.Any()) }),
  async run(ctx, { body: { module } }) {
    checkReading(ctx, module)
    const fields = await currentFields(ctx, records[module])
    const open = fields.filter(({ is_archived }) => !is_archived)
    return { module, fields: open, ...(await beside(ctx, module)) }
  },
})

/** 403 without the right or the scope to read the module. */
function checkReading(ctx: Context, module: Module): void {
  if (levelOf(ctx.actor, module, 'read') === 'none') {
    throw forbidden(`Your role may not read ${module}`)
  }
  const { app } = ctx.actor
  if (module !== 'tasks') return requireScope(ctx.actor, `${words[module]}.read`)
  const isOpen = !app || ['project.read', 'deal.read'].some((each) => app.scopes.includes(each))
  if (!isOpen) throw forbidden('This needs the scope project.read or deal.read', 'missing_scope')
}

async function beside(ctx: Context, module: Module): Promise<object> {
  if (module === 'deals') return { pipelines: await pipelinesOf(ctx) }
  if (module === 'tasks' || module === 'projects') {
    return { statuses: await statusesOf(ctx, module) }
  }
  return {}
}
