import { Type } from 'typebox'
import { crud, pageQuery } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import type { Draft } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { insert, lock, restore, update, written } from '../../kit/write/write.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { HolidaySet, holidaySchema } from '../../model/holidays/holiday-set.ts'
import { publicHolidays } from './public-holidays.ts'

const plain = crud(HolidaySet)

/** The operations of holiday sets. Each write evicts the cached calendars. */
export const holidays = {
  ...plain,
  list: operation({
    ...plain.list,
    input: { query: pageQuery(true) },
    run(ctx, { query }) {
      // callers may supply ids, so these do not determine the order
      const order = { sort: 'creation_time', reverse: !query.reverse }
      return listPage(ctx, HolidaySet, inOwnOrder(query, order))
    },
  }),
  create: operation({
    ...plain.create,
    input: {
      body: extend(plain.create.input.body, {
        holidays_id: Type.Optional(schema<string>(suppliedId)),
      }),
    },
    async run(ctx, { body: { holidays_id: id, ...body } }) {
      const created = await insert(ctx, HolidaySet, withDefaults(body), id ? { id } : {})
      ctx.forget()
      return written(created)
    },
  }),
  update: operation({
    ...plain.update,
    async run(ctx, { params, body, ifMatch }) {
      ctx.forget()
      return written(
        await update(
          ctx,
          await lock(ctx, HolidaySet, params.id, 'update', ifMatch),
          withDefaults(body),
        ),
      )
    },
  }),
  restore: operation({
    ...plain.restore,
    async run(ctx, { params }) {
      ctx.forget()
      return written(await restore(ctx, HolidaySet, params.id))
    },
  }),
  import: operation({
    name: 'import_holidays',
    summary: 'List the public holidays of a country',
    description:
      'With `save=true` they are stored as a holiday set of the organization, unless a set of the country and state already has them.',
    can: { module: 'holidays', action: 'create' },
    // stored like any other record if requested
    writes: true,
    input: {
      query: Type.Object({
        country: Type.String({
          maxLength: 10,
          description: 'ISO 3166-1, such as FR',
          example: 'FR',
        }),
        state: Type.Optional(
          Type.String({ maxLength: 10, description: 'ISO 3166-2 without the country' }),
        ),
        year: Type.Optional(
          Type.Integer({
            minimum: 1970,
            maximum: 2100,
            description: 'the current year by default',
          }),
        ),
        save: Type.Optional(Type.Boolean({ description: 'store them as a holiday set' })),
      }),
    },
    output: Type.Object(
      {
        holidays_id: orNull(Type.String({ description: 'the holiday set, where it was stored' })),
        country: Type.String(),
        state: orNull(Type.String()),
        year: Type.Integer(),
        holidays: Type.Array(holidaySchema),
      },
      { title: 'HolidayImport' },
    ),
    async run(ctx, { query }) {
      const { country, state = null, year, days } = await publicHolidays(ctx, query)
      const set = { country, state, holidays: days }
      const holidays_id = query.save ? await saved(ctx, set) : null
      return { holidays_id, country, state, year, holidays: days }
    },
  }),
}

type Imported = { country: string; state: string | null; holidays: object[] }

/** The existing set with these days: a repeated request, as GET allows, stores them only once. */
async function saved(ctx: Context, set: Imported): Promise<string> {
  const { country, state, holidays: days } = set
  await lockName(ctx, `holidays ${ctx.organization.id}`)
  const known = await ctx.one<{ id: string }>(sql`select t.id from holiday_sets t
    where ${scope(ctx, HolidaySet, 'read')} and t.country = ${country}
      and t.state is not distinct from ${state} and t.holidays @> ${JSON.stringify(days)}::jsonb
    order by t.id limit 1`)
  if (known) return known.id
  ctx.forget()
  return (await insert(ctx, HolidaySet, set as Draft<typeof HolidaySet>)).id
}

/** The body with `is_repeat_annually` added to all its holidays. */
function withDefaults<B extends { holidays?: { is_repeat_annually?: boolean }[] }>(body: B): B {
  if (!body.holidays) return body
  const filled = body.holidays.map((each) => ({ is_repeat_annually: false, ...each }))
  return { ...body, holidays: filled }
}
