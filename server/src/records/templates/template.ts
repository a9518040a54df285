import {
  boolean,
  defaulted,
  folded,
  key,
  list,
  object,
  oneOf,
  optional,
  readOnly,
  readOnlyOrNull,
  record,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { person } from '../users/person.ts'

/** `sub_template_type` of the specification by our word for it. */
export const templateTypes = { pipelines: 4, deal_stages: 5, project: 6 } as const
export type TemplateType = keyof typeof templateTypes

/** A plan to begin from (specification 2.3). */
export const Template = record(
  {
    module: 'templates',
    number: 12,
    word: 'template',
    title: 'template_name',
    aliases: { name: 'template_name' },
    searchable: true,
    scope: { word: 'template', things: 'templates' },
    links: [{ table: 'projects', column: 'template_id' }],
    events: {
      template_created: { on: 'created', summary: 'A template was created' },
      template_updated: { on: 'updated', summary: 'A template changed' },
    },
  },
  {
    template_id: key(),
    org_temp_id: { ...readOnly(text(25)), column: 'id' },
    template_name: required(folded(text(255), 'template_name_key')),
    description: optional(text()),
    template_type: defaulted(oneOf('project', 'pipelines', 'deal_stages'), 'project'),
    template_config: defaulted(unlisted(object()), {}),
    options: defaulted(object(), {}),
    is_predefined: readOnly(boolean()),
    is_default: defaulted(boolean(), false),
    tags: { ...optional(list()), read: `coalesce(t.tags, '[]')` },
    created_by: readOnlyOrNull(person()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
