import { Type } from 'typebox'

/** The days that are worked on, as plans and the load of people count them. */
export const calendarSchema = Type.Object(
  {
    working_days: Type.Array(Type.Integer(), { description: '1 is Monday, 7 Sunday' }),
    holidays: Type.Array(Type.String(), { description: 'YYYY-MM-DD, or MM-DD of every year' }),
  },
  { title: 'PlanCalendar', additionalProperties: false },
)
