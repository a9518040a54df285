import { byId } from '../../kit/crud.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { Action, Can } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readOne } from '../../kit/read/one.ts'
import { capitalized } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { written } from '../../kit/write/write.ts'
import { createProject } from '../../records/projects/create.ts'
import { typeOf } from '../../records/projects/input.ts'
import { typeOfId } from '../../records/projects/move.ts'
import { projects as both } from '../../records/projects/operations.ts'
import { ProjectOrDeal, recordOfType } from '../../model/projects/project.ts'
import { updateProject } from '../../records/projects/update.ts'
import { createOne } from './projects.ts'

/**
 * The operations of deals, or of projects: the service has one record for what people see as two, so a tool
 * is for one of them, with its own right and scope, and does not find the other.
 */
function projectOperations(type: 'deal' | 'project') {
  const module = `${type}s`
  const record = recordOfType(type)
  const may = (action: Action): Can => ({ module, action })
  const { aliases } = ProjectOrDeal

  /** 404 for a record of the other type, as for one that is not there. */
  async function checkType(ctx: Context, id: string) {
    if ((await typeOfId(ctx, id, type)) !== type) throw notFound(capitalized(type))
  }

  return {
    read: operation({
      name: `read_${type}`,
      summary: `Retrieve a ${type}`,
      can: may('read'),
      writes: false,
      input: { params: byId },
      output: readSchema(record),
      async run(ctx, { params }) {
        await checkType(ctx, params.id)
        return readOne(ctx, record, params.id)
      },
    }),
    create: operation({
      name: `create_${type}`,
      summary: `Create a ${type}`,
      can: may('create'),
      writes: true,
      aliases,
      input: { body: createOne.input.body },
      output: readSchema(record),
      async run(ctx, { body }) {
        if ((typeOf(body) ?? type) !== type) {
          throw badField('project_type', `is ${type}: create_${typeOf(body)} makes the other`)
        }
        return written(await createProject(ctx, { ...body, project_type: type }))
      },
    }),
    update: operation({
      name: `update_${type}`,
      summary: `Update a ${type}`,
      can: may('update'),
      writes: true,
      aliases,
      input: { params: byId, body: both.update.input.body },
      output: readSchema(record),
      async run(ctx, { params, body, ifMatch }) {
        await checkType(ctx, params.id)
        return written(await updateProject(ctx, params.id, body, ifMatch))
      },
    }),
  }
}

export const deals = projectOperations('deal')
export const projects = projectOperations('project')
