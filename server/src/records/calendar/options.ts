import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { UserProfile } from '../../model/users/user.ts'

const choice = Type.Object(
  { value: Type.String(), label: Type.String() },
  { title: 'CalendarChoice' },
)

const person = Type.Object(
  {
    user_id: Type.String(),
    full_name: Type.String(),
    email: orNull(Type.String()),
    profile_image: orNull(Type.String()),
  },
  { title: 'CalendarPerson' },
)

/** What forms offer for the fields of a meeting. */
export const calendarOptions = Type.Object({
  timezones: Type.Array(Type.String()),
  types: Type.Array(choice),
  colors: Type.Array(choice),
  video_conference_types: Type.Array(choice),
  responses: Type.Array(Type.String()),
  people: Type.Array(person, { description: 'active users, at most 500' }),
})

export async function readOptions(ctx: Context) {
  const people = await ctx.all(sql`
    select t.id as user_id, t.full_name, t.email, t.profile_image from users t
    where ${scope(ctx, UserProfile, 'read')} and t.is_active
    order by lower(t.full_name), t.id limit 500`)
  return {
    timezones: ['UTC', ...Intl.supportedValuesOf('timeZone')],
    types: ['meeting', 'call', 'kickoff', 'review', 'training', 'other'].map(choiceOf),
    colors: ['#3B82F6', '#22C55E', '#F59E0B', '#EF4444', '#8B5CF6', '#64748B'].map(choiceOf),
    video_conference_types: ['link', 'phone', 'in_person'].map(choiceOf),
    responses: ['accepted', 'tentative', 'declined'],
    people,
  }
}

function choiceOf(value: string) {
  return { value, label: value.slice(0, 1).toUpperCase() + value.slice(1).replaceAll('_', ' ') }
}
