import { sql } from '../../kit/ground/sql.ts'
import { record } from '../../kit/record/record.ts'
import { createdBy } from '../people/person.ts'
import { configSchema, roleSchema } from './config.ts'
import {
  boolean,
  integer,
  key,
  list,
  object,
  oneOf,
  stamp,
  tagList,
  text,
  valueOf,
} from '../../kit/record/fields.ts'

/** The specification's `sub_template_type` for each of our names. */
export const templateTypes = { pipelines: 4, deal_stages: 5, project: 6 } as const
export type TemplateType = keyof typeof templateTypes

/** The values of `template_type`. */
export const templateWords = [
  'project',
  'pipelines',
  'deal_stages',
] as const satisfies TemplateType[]

/** A reusable plan (specification 2.3). */
export const Template = record(
  {
    module: 'templates',
    number: 12,
    word: 'template',
    title: 'template_name',
    aliases: { name: 'template_name' },
    rights: {
      // those that come with the product stay as they are
      can: (_ctx, _action, allowed) => sql`(${allowed} and not t.is_predefined)`,
    },
    life: {
      loose: [
        { column: 'template_config', isJson: true },
        { column: 'roles', to: ['users'], isJson: true },
      ],
      handOver: [{ column: 'created_by' }, { column: 'template_config' }, { column: 'roles' }],
      links: [{ table: 'projects', column: 'template_id' }],
    },
    find: {
      searchable: true,
    },
    apps: {
      scope: { word: 'template', things: 'templates' },
    },
    events: {
      kinds: {
        template_created: { on: 'created', summary: 'A template was created' },
        template_updated: { on: 'updated', summary: 'A template changed' },
      },
    },
  },
  {
    template_id: key(),
    org_temp_id: text(25, { readOnly: true, column: 'id' }),
    template_name: text(255, { required: true, folded: 't.template_name_key' }),
    description: text(),
    template_type: oneOf(templateWords, { default: 'project', title: 'TemplateType' }),
    template_config: valueOf(configSchema, { default: {} }),
    roles: list(roleSchema, { default: [], filterable: false }),
    published_version: integer({ readOnly: true, isNotCopied: true }),
    draft_version: integer({ readOnly: true, nullable: true, isNotCopied: true }),
    options: object({ default: {} }),
    is_predefined: boolean({
      readOnly: true,
      default: false,
      refusal: 'marks the templates that come with the product',
    }),
    is_default: boolean({ default: false, isNotCopied: true }),
    tags: tagList({ read: `coalesce(t.tags, '[]')` }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)
