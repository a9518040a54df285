import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import { nextCursorProperty, offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import type { TemplateType } from '../../model/templates/template.ts'
import { Template, templateTypes } from '../../model/templates/template.ts'
import { readOne } from '../../kit/read/one.ts'

const item = readSchema(Template)
const typeNames = Object.keys(templateTypes) as TemplateType[]

/** GET templates: those of a type, or the one that `org_temp_id` names, without an envelope. */
export const listTemplates = operation({
  name: 'get_templates',
  summary: 'List templates, or retrieve one',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: {
    query: Type.Object({
      module: Type.Optional(Type.String({ maxLength: 40, description: 'such as templates' })),
      template_type: Type.Optional(enumeration(typeNames, { title: 'TemplateTypeName' })),
      sub_template_type: Type.Optional(
        schema<number>({
          title: 'SubTemplateType',
          type: 'integer',
          enum: Object.values(templateTypes),
          description: '4 pipelines, 5 deal stages, 6 project',
        }),
      ),
      page: pageProperties.page,
      offset: offsetProperty,
      next_cursor: nextCursorProperty,
      items_per_page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 500,
          description: 'templates per page: 25, with org_temp_id 60',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'same as items_per_page' }),
      ),
      sort: Type.Optional(
        Type.String({ maxLength: 500, description: 'comma-separated fields, - sorts descending' }),
      ),
      filter: Type.Optional(
        Type.String({ maxLength: 20_000, description: 'JSON array of conditions' }),
      ),
      org_temp_id: Type.Optional(idInQuery('only this template')),
    }),
  },
  output: { anyOf: [item, envelopeOf(item)] },
  async run(ctx, input) {
    const { template_type, sub_template_type, org_temp_id } = input.query
    if (org_temp_id) return readOne(ctx, Template, org_temp_id)
    const byNumber = typeNames.find((type) => templateTypes[type] === sub_template_type)
    if (template_type && byNumber && template_type !== byNumber) {
      throw badField('sub_template_type', `does not agree with template_type ${template_type}`)
    }
    const type = template_type ?? byNumber
    const extra = type ? sql`t.template_type = ${type}` : undefined
    return listEnvelope(ctx, Template, input, { extra, words: type ?? '' })
  },
})
