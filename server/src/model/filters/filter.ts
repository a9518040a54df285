import { Type } from 'typebox'
import { record } from '../../kit/record/record.ts'
import { condition } from '../../kit/read/condition.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import { nothing } from '../users/roles/permissions.ts'
import { createdBy } from '../people/person.ts'
import { boolean, integer, key, list, object, oneOf, stamp, text } from '../../kit/record/fields.ts'

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
    name: text(100, { required: true }),
    module: text(40, { required: true }),
    conditions: list(condition, { default: [] }),
    columns: list(Type.String({ maxLength: 255 }), { default: [] }),
    sort: text(200),
    layout: oneOf(['table', 'board', 'calendar', 'timeline'], {
      default: 'table',
      title: 'FilterLayout',
    }),
    group_by: text(255, { description: 'a field of the module' }),
    column_widths: object({
      default: {},
      schema: {
        description: 'fields and their widths in pixels',
        additionalProperties: { type: 'integer', minimum: 20, maximum: 2000 },
        maxProperties: 500,
      },
    }),
    density: oneOf(['compact', 'regular', 'comfortable'], { title: 'FilterDensity' }),
    is_favourite: boolean({ default: false }),
    position: integer({
      schema: {
        minimum: 0,
        maximum: 1_000_000,
        description: 'the place among the views of the module',
      },
    }),
    visibility: oneOf(['private', 'team', 'public'], {
      default: 'private',
      title: 'FilterVisibility',
    }),
    is_default: boolean({ default: false }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)
