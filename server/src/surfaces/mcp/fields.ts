import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { operation } from '../../kit/ground/operation.ts'
import { currentFields } from '../../records/field-config/field-config.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { statusesOf } from '../../model/statuses/status.ts'
import { canRead, eachKind } from './records.ts'
import { family } from './tool.ts'

/** The fields of a kind of record, with what belongs to them: the stages of deals, the statuses of tasks. */
export const getFields = family(
  {
    name: 'get_fields',
    title: 'List fields and choices',
    description:
      'The fields of a kind of record with their types and choices, custom ones too; of deals the pipelines with their stages, of projects and tasks the statuses.',
  },
  eachKind((module, kind) => [
    operation({
      name: `get_fields_of_${module}`,
      summary: `List the fields of ${module}`,
      can: canRead(kind),
      scope: null,
      writes: false,
      input: {},
      output: Type.Object({ module: Type.String(), fields: Type.Array(Type.Any()) }),
      async run(ctx) {
        const fields = await currentFields(ctx, kind.record)
        const open = fields.filter(({ is_archived }) => !is_archived)
        return { module, fields: open.map(forChoosing), ...(await beside(ctx, module)) }
      },
    }),
    { scopes: kind.scopes },
  ]),
)

type Field = Awaited<ReturnType<typeof currentFields>>[number]

/** What a model needs of a field to filter by it and to write it; where it stands on a screen is left out. */
function forChoosing({ key, label, type, description, required, options }: Field) {
  const named = label.toLowerCase() === key.replaceAll('_', ' ')
  return {
    key,
    ...(named ? {} : { label }),
    type,
    description,
    ...(required ? { required } : {}),
    options: options?.map(({ value, label: word }) =>
      word === value ? value : { value, label: word },
    ),
  }
}

async function beside(ctx: Context, module: string): Promise<object> {
  if (module === 'deals') return { pipelines: await pipelinesOf(ctx) }
  if (module === 'tasks' || module === 'projects') {
    return { statuses: await statusesOf(ctx, module) }
  }
  return {}
}
