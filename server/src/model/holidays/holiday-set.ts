import { Type } from 'typebox'
import { extend } from '../../kit/ground/json-schema.ts'
import { record } from '../../kit/record/record.ts'
import { key, list, stamp, text } from '../../kit/record/fields.ts'

/** A holiday in a body; without `is_repeat_annually` it is only in its year. */
const holiday = Type.Object({
  name: Type.String({ pattern: '\\S', maxLength: 255 }),
  date: Type.String({ format: 'date' }),
  is_repeat_annually: Type.Optional(Type.Boolean()),
})

/** A holiday in a read. */
export const holidaySchema = extend(
  { ...holiday, title: 'Holiday' },
  { name: Type.String(), is_repeat_annually: Type.Boolean() },
)

/** Days on which nobody works (specification 2.3). */
export const HolidaySet = record(
  {
    module: 'holidays',
    table: 'holiday_sets',
    word: 'holiday_set',
    title: 'country',
    life: {
      links: [{ table: 'projects', column: 'holidays_id' }],
    },
  },
  {
    holidays_id: key(),
    country: text(100),
    state: text(100),
    holidays: list(holiday, { default: [], shown: list(holidaySchema), filterable: false }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)
