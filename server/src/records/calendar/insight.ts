import type { Context } from '../../kit/context.ts'
import { crud, withoutQuery } from '../../kit/crud.ts'
import { givenId } from '../../kit/ids.ts'
import { listPage } from '../../kit/list.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import type { AnyRecord } from '../../kit/record.ts'
import {
  computed,
  defaulted,
  key,
  list,
  optional,
  readOnly,
  record,
  reference,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record.ts'
import { sql } from '../../kit/sql.ts'
import { insert, written } from '../../kit/write.ts'
import { Meeting } from './meeting.ts'

const meeting = (what: string) => `(select ${what} from meetings m
  where m.organization_id = t.organization_id and m.id = t.calendar_id)`

/** What came of a meeting (specification 2.3, MeetingInsight). */
export const MeetingInsight = record(
  {
    module: 'calendar',
    table: 'meeting_insights',
    word: 'meeting_insight',
    title: 'meeting_insight_id',
    attached: (actor) => sql`t.calendar_id in (select t.id from meetings t
      where ${Meeting.attached!(actor)} and t.deleted_at is null)`,
    visible: (ctx, action) => sql`t.calendar_id in (select t.id from meetings t
      where t.organization_id = ${ctx.organization.id} and ${Meeting.visible!(ctx, action)}
        and t.deleted_at is null)`,
  },
  {
    meeting_insight_id: key(),
    calendar_id: required(
      reference({
        table: 'meetings',
        shows: null,
        to: (): AnyRecord => Meeting,
        by: { calendar_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    title: computed(text(255), meeting('m.title')),
    start_time: computed(
      text(40),
      meeting(`to_char(m.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
    ),
    // minutes
    duration: computed(
      text(20),
      meeting('(extract(epoch from m.ends_at - m.starts_at) / 60)::integer::text'),
    ),
    users: computed(
      text(),
      meeting(`coalesce((select string_agg(coalesce(a ->> 'name', a ->> 'email'), ', ')
        from jsonb_array_elements(m.attendees) a), '')`),
    ),
    status: computed(
      text(20),
      meeting(`case when m.is_meeting_cancelled then 'cancelled'
        when m.ends_at <= now() then 'completed' else 'scheduled' end`),
    ),
    is_favorite: computed(text(5), `'false'`),
    summary: optional(text()),
    action_items: defaulted(unlisted(list({})), []),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(MeetingInsight)

export const insights = {
  ...plain,
  list: {
    ...plain.list,
    name: 'list_meeting_insights',
    input: { query: withoutQuery(plain.list.input.query!, 'filter', 'filter_id') },
    run(ctx: Context, { query }: Input) {
      // ids may be the callers' own and say nothing of the order
      const order = query.sort ? {} : { sort: 'creation_time', reverse: true }
      return listPage(ctx, MeetingInsight, { ...query, ...order })
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: {
      body: {
        ...plain.create.input.body,
        properties: {
          ...(plain.create.input.body!.properties as object),
          meeting_insight_id: givenId,
        },
        required: ['meeting_insight_id', 'calendar_id'],
      },
    },
    async run(ctx: Context, { body }: Input) {
      const { meeting_insight_id: id, ...given } = body
      return written(await insert(ctx, MeetingInsight, given, { id }))
    },
  } satisfies Operation,
}
