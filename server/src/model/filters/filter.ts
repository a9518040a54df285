import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { record } from '../../kit/record/record.ts'
import { condition } from '../../kit/read/condition.ts'
import { groupUnits } from '../../kit/read/figures.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import { nothing } from '../users/roles/permissions.ts'
import { createdBy } from '../people/person.ts'
import {
  boolean,
  integer,
  key,
  list,
  object,
  objectOf,
  oneOf,
  stamp,
  text,
} from '../../kit/record/fields.ts'

const unit = orNull(enumeration(groupUnits, { title: 'GroupUnit' }))

/** By what a report groups, what it measures, and how it is drawn: as in the query of `groups/`. */
const reportMembers = {
  by: Type.String({ minLength: 1, maxLength: 300, description: 'a field of the module' }),
  unit: Type.Optional(unit),
  width: Type.Optional(
    orNull(
      Type.Number({ exclusiveMinimum: 0, maximum: 1e15, description: 'of ranges of numbers' }),
    ),
  ),
  then: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 300 }))),
  then_unit: Type.Optional(unit),
  measures: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  chart: Type.Optional(
    enumeration(['bars', 'lines', 'ring', 'funnel', 'table'], { title: 'ReportChart' }),
  ),
  currency_unit: Type.Optional(orNull(Type.String({ maxLength: 3 }))),
}

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
    layout: oneOf(['table', 'board', 'calendar', 'timeline', 'report'], {
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
    report: objectOf(reportMembers, {
      nullable: true,
      title: 'FilterReport',
      description: 'what is counted of the records, where the layout is a report',
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
