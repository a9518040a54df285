import { Type } from 'typebox'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { record } from '../../../kit/record/record.ts'
import { levelOf, mayAll } from '../../../kit/record/scope.ts'
import { stageCategory } from '../shapes.ts'
import { boolean, integer, key, listOf, stamp, text } from '../../../kit/record/fields.ts'

const stage = {
  stage_id: Type.String(),
  stage_key: Type.String(),
  stage_name: Type.String(),
  category: stageCategory,
  probability: Type.Integer({ description: 'per cent' }),
  color: orNull(Type.String()),
  icon: orNull(Type.String()),
  position: Type.Integer(),
  is_archived: Type.Boolean(),
  required_fields: Type.Array(Type.String(), {
    description: 'fields that a deal needs to go on to it',
  }),
}

/** The stages of a sale in their order. Whoever may change every deal may change it. */
export const Pipeline = record(
  {
    module: 'pipelines',
    word: 'pipeline',
    title: 'pipeline_name',
    aliases: { name: 'pipeline_name' },
    rights: {
      follows: ['deals'],
      decide({ actor }, action) {
        const isAllowed =
          action === 'read'
            ? levelOf(actor, 'deals', 'read') !== 'none'
            : mayAll(actor, 'deals', 'update')
        return isAllowed ? sql`true` : sql`false`
      },
    },
    life: {
      links: [
        { table: 'projects', column: 'pipeline_id' },
        {
          table: 'stages',
          column: 'pipeline_id',
          part: {
            namedBy: [
              { table: 'projects', column: 'stage_id' },
              { table: 'stage_changes', column: 'stage_id' },
            ],
          },
        },
      ],
    },
  },
  {
    pipeline_id: key(),
    pipeline_name: text(255, { required: true }),
    description: text(),
    is_default: boolean({ default: false }),
    position: integer({ default: 0 }),
    stages: listOf(stage, {
      title: 'PipelineStage',
      filterable: false,
      expression: `(select coalesce(jsonb_agg(jsonb_build_object('stage_id', s.id, 'stage_key', s.stage_key,
          'stage_name', s.stage_name, 'category', s.category, 'probability', s.probability,
          'color', s.color, 'icon', s.icon, 'position', s.position, 'is_archived', s.is_archived,
          'required_fields', s.required_fields)
          order by s.position, s.id), '[]')
        from stages s where s.organization_id = $organization and s.pipeline_id = t.id)`,
    }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)
