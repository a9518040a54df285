import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { sql } from '../../kit/ground/sql.ts'
import { readOne } from '../../kit/write/write.ts'
import type { TemplateType } from '../../records/templates/template.ts'
import { Template, templateTypes } from '../../records/templates/template.ts'

const item = readSchema(Template)

/** GET templates: those of a type, or the one that `org_temp_id` names, bare. */
export const listTemplates: Operation = {
  name: 'get_templates',
  summary: 'List templates, or read one',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        module: { type: 'string', maxLength: 40, description: 'such as templates' },
        template_type: { type: 'string', enum: Object.keys(templateTypes) },
        sub_template_type: {
          type: 'integer',
          enum: Object.values(templateTypes),
          description: '4 pipelines, 5 deal stages, 6 project',
        },
        page: pageProperties.page,
        items_per_page: {
          type: 'integer',
          minimum: 1,
          maximum: 500,
          description: 'templates a page: 25, with org_temp_id 60',
        },
        limit: { type: 'integer', minimum: 1, maximum: 500, description: 'same as items_per_page' },
        sort: { type: 'string', maxLength: 500, description: 'comma list, - descends' },
        filter: { type: 'string', maxLength: 20_000, description: 'JSON array of conditions' },
        org_temp_id: { type: 'string', minLength: 1, maxLength: 25, description: 'one template' },
      },
    },
  },
  output: { anyOf: [item, envelopeOf(item)] },
  async run(ctx: Context, input: Input) {
    const { template_type, sub_template_type, org_temp_id } = input.query
    if (org_temp_id) return readOne(ctx, Template, org_temp_id)
    const byNumber = (Object.keys(templateTypes) as TemplateType[]).find(
      (type) => templateTypes[type] === sub_template_type,
    )
    if (template_type && byNumber && template_type !== byNumber) {
      throw badField('sub_template_type', `does not agree with template_type ${template_type}`)
    }
    const type = template_type ?? byNumber
    const extra = type ? sql`t.template_type = ${type}` : undefined
    return listEnvelope(ctx, Template, input, { extra })
  },
}
