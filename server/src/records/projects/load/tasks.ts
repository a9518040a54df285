import { Type } from 'typebox'
import { idInQuery } from '../../../kit/ground/ids.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { sharesOf } from '../../../schedule/load.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import { daysOf } from './load.ts'
import { calendarOfLoad, checkWeeks, openWork, refuseCustomers } from './work.ts'

const most = 500

const day = orNull(Type.String({ format: 'date' }))
const task = Type.Object(
  {
    item_id: Type.String(),
    title: Type.String(),
    project_id: orNull(Type.String()),
    project_name: orNull(Type.String()),
    start_date: day,
    due_date: day,
    minutes: orNull(Type.Integer({ description: 'of that week; null without an estimate' })),
    estimate_minutes: orNull(Type.Integer()),
    version: Type.Integer(),
    may_update: Type.Boolean({ description: 'whether the caller may give it to somebody else' }),
  },
  { title: 'LoadTask', additionalProperties: false },
)

/** The tasks behind one figure of the load. */
export const loadTasks = operation({
  name: 'list_load_tasks',
  summary: 'List the tasks of a person in a week',
  description: `The tasks that the load of a person counts in the week of a day, those that take longest first; ${most} at most.`,
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: {
    query: Type.Object({
      user: idInQuery('whose tasks'),
      week: Type.String({ format: 'date', description: 'a day of the week' }),
    }),
  },
  output: Type.Object(
    { tasks: Type.Array(task) },
    { title: 'LoadTasks', additionalProperties: false },
  ),
  run: async (ctx, { query: { user, week } }) => {
    refuseCustomers(ctx)
    const { weekOf, workdays, today } = await calendarOfLoad(ctx)
    const weeks = { first: weekOf(dayNumber(week)), count: 1 }
    checkWeeks(weeks, 'week', 'week')
    const works = await openWork(ctx, [user], weeks, most)
    const tasks = works.flatMap((work) => {
      const [share] = sharesOf(daysOf(work), weeks, workdays, today)
      if (!share) return []
      const { id, owner: _owner, is_updatable, ...shown } = work
      return { item_id: id, ...shown, minutes: share.minutes, may_update: is_updatable }
    })
    return { tasks: tasks.toSorted((a, b) => (b.minutes ?? 0) - (a.minutes ?? 0)) }
  },
})
