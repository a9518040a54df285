import {
  boolean,
  defaulted,
  key,
  list,
  oneOf,
  optional,
  readOnly,
  readOnlyOrNull,
  record,
  required,
  text,
  timestamp,
} from '../../kit/record/record.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import { nothing } from '../users/permissions.ts'
import { person } from '../users/person.ts'

/** What somebody saved of a list (specification 4.4, Filters); `module` is the list's. */
export const Filter = record(
  {
    ...filterRights,
    module: 'filters',
    word: 'filter',
    title: 'name',
    defaults: { customer: nothing, partner: nothing, observer: nothing },
  },
  {
    filter_id: key(),
    name: required(text(100)),
    module: required(text(40)),
    // each as the filter grammar has it; checked with its own compiler
    conditions: defaulted(list({ type: 'object' }), []),
    columns: defaulted(list(), []),
    sort: optional(text(200)),
    visibility: defaulted(oneOf('private', 'team', 'public'), 'private'),
    is_default: defaulted(boolean(), false),
    created_by: readOnlyOrNull(person()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
