import { Type } from 'typebox'
import { record } from '../../kit/record/record.ts'
import { condition } from '../../kit/read/condition.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import { nothing } from '../users/roles/permissions.ts'
import { createdBy } from '../people/person.ts'
import {
  boolean,
  defaulted,
  integer,
  key,
  list,
  object,
  oneOf,
  optional,
  readOnly,
  required,
  text,
  timestamp,
  titled,
} from '../../kit/record/fields.ts'

const columnWidths = object({
  description: 'fields and their widths in pixels',
  additionalProperties: { type: 'integer', minimum: 20, maximum: 2000 },
  maxProperties: 500,
})

/** A saved view of a list (specification 4.4, Filters); `module` is the module of the list. */
export const Filter = record(
  {
    module: 'filters',
    word: 'filter',
    title: 'name',
    rights: {
      ...filterRights.rights,
      defaults: { customer: nothing, partner: nothing, observer: nothing },
    },
    life: {
      loose: [{ column: 'conditions', isJson: true }],
      handOver: [{ kind: 'saved_views', column: 'created_by' }],
    },
  },
  {
    filter_id: key(),
    name: required(text(100)),
    module: required(text(40)),
    conditions: defaulted(list(condition), []),
    columns: defaulted(list(Type.String({ maxLength: 255 })), []),
    sort: optional(text(200)),
    layout: defaulted(
      titled('FilterLayout', oneOf('table', 'board', 'calendar', 'timeline')),
      'table',
    ),
    group_by: optional(text(255, { description: 'a field of the module' })),
    column_widths: defaulted(columnWidths, {}),
    density: optional(titled('FilterDensity', oneOf('compact', 'regular', 'comfortable'))),
    is_favourite: defaulted(boolean(), false),
    position: optional(
      integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'the place among the views of the module',
      }),
    ),
    visibility: defaulted(
      titled('FilterVisibility', oneOf('private', 'team', 'public')),
      'private',
    ),
    is_default: defaulted(boolean(), false),
    created_by: createdBy(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
