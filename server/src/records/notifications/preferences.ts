import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { notificationTypes, usualMail } from '../../kit/ground/event.ts'
import { enumeration, schema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { mailDefaultsOf } from '../../model/organizations/settings.ts'

/** The categories of notifications. */
export const categories = Object.values(notificationTypes)

type Category = (typeof categories)[number]

const email = enumeration(['off', 'immediately', 'daily'], { title: 'NotificationEmail' })

/** How a user is notified in one category. */
const preference = Type.Object(
  { in_app: Type.Boolean(), email },
  { title: 'NotificationPreference' },
)
type Preference = Static<typeof preference>
type Preferences = { [category in Category]: Preference }

/** The preferences of every category. */
export const preferencesSchema = schema<Preferences>({
  title: 'NotificationPreferences',
  type: 'object',
  properties: Object.fromEntries(categories.map((category) => [category, preference])),
  required: [...categories],
})

/** In the log, preferences belong to the module of users, but not to the user's profile. */
const subject = {
  module: 'users',
  word: 'notification preferences',
}

type Changes = { [category in Category]?: Partial<Preference> }

/** The body that changes some of them. */
export const preferencesBody = schema<Changes>({
  type: 'object',
  properties: Object.fromEntries(
    categories.map((category) => [
      category,
      Type.Object({ in_app: Type.Optional(Type.Boolean()), email: Type.Optional(email) }),
    ]),
  ),
})

/** The caller's preferences; what is not stored follows the organization's default. */
export async function readPreferences(ctx: Context): Promise<Preferences> {
  const rows = await ctx.all<Preference & { category: Category }>(sql`
    select t.category, t.in_app, t.email from notification_preferences t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}`)
  const stored = new Map(rows.map(({ category, ...each }) => [category, each]))
  const { delivery } = await mailDefaultsOf(ctx)
  return Object.fromEntries(
    categories.map((category): [Category, Preference] => [
      category,
      stored.get(category) ?? {
        in_app: true,
        email: delivery === 'immediately' ? usualMail[category] : delivery,
      },
    ]),
  ) as Preferences
}

/** Merges changes into the caller's preferences. */
export async function updatePreferences(ctx: Context, body: Changes): Promise<Preferences> {
  const before = await readPreferences(ctx)
  const changed = categories.flatMap((category) =>
    body[category] ? [{ category, ...before[category], ...body[category] }] : [],
  )
  await ctx.run(sql`
    insert into notification_preferences (organization_id, user_id, category, in_app, email)
    select ${ctx.organization.id}, ${ctx.actor.user_id}, p.category, p.in_app, p.email
    from json_to_recordset(${JSON.stringify(changed)}) as p (category text, in_app boolean,
      email text)
    on conflict (organization_id, user_id, category)
      do update set in_app = excluded.in_app, email = excluded.email`)
  const after = await readPreferences(ctx)
  const changes = categories
    .filter((word) => JSON.stringify(after[word]) !== JSON.stringify(before[word]))
    .map((word) => ({ field: word, from: before[word], to: after[word] }))
  if (changes.length) {
    const { user_id, full_name } = ctx.actor
    await announce(ctx, subject, 'updated', { id: user_id, name: full_name, changes })
  }
  return after
}
