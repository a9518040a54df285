import { sql } from '../../kit/ground/sql.ts'
import type { Field } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { createdBy } from '../people/person.ts'
import type { TemplateConfig } from './config.ts'
import { configSchema, roleSchema } from './config.ts'
import {
  boolean,
  defaulted,
  folded,
  integer,
  key,
  list,
  notCopied,
  object,
  oneOf,
  optional,
  readAs,
  readOnly,
  readOnlyOrNull,
  required,
  text,
  timestamp,
  titled,
  unlisted,
  setElsewhere,
  tagList,
} from '../../kit/record/fields.ts'

const plan: Field<TemplateConfig> = { ...object(), schema: configSchema }

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
    org_temp_id: { ...readOnly(text(25)), column: 'id' },
    template_name: required(folded(text(255), 'template_name_key')),
    description: optional(text()),
    template_type: defaulted(titled('TemplateType', oneOf(...templateWords)), 'project'),
    template_config: defaulted(unlisted(plan), {}),
    roles: defaulted(unlisted(list(roleSchema)), []),
    published_version: notCopied(readOnly(integer())),
    draft_version: notCopied(readOnlyOrNull(integer())),
    options: defaulted(object(), {}),
    is_predefined: setElsewhere(
      readOnly(boolean()),
      'marks the templates that come with the product',
      false,
    ),
    is_default: notCopied(defaulted(boolean(), false)),
    tags: readAs(optional(tagList()), tagList(), `coalesce(t.tags, '[]')`),
    created_by: createdBy(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
