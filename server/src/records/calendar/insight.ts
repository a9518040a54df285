import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { badField } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
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
} from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { insert, written } from '../../kit/write/write.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
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
    weak: ['calendar_id'],
    attached: (actor) => sql`t.calendar_id in (select t.id from meetings t
      where ${Meeting.attached!(actor)} and t.deleted_at is null)`,
    visible: (ctx, action) => sql`t.calendar_id in (select t.id from meetings t
      where ${all(mine(ctx), Meeting.visible!(ctx, action), sql`t.deleted_at is null`)})`,
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
    input: { query: without(plain.list.input.query!, 'filter', 'filter_id') },
    run(ctx: Context, { query }: Input) {
      // ids may be the callers' own and say nothing of the order
      const order = query.sort ? {} : { sort: 'creation_time', reverse: !query.reverse }
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
          meeting_insight_id: suppliedId,
        },
        required: ['meeting_insight_id', 'calendar_id'],
      },
    },
    async run(ctx: Context, { body }: Input) {
      const { meeting_insight_id: id, ...given } = body
      return written(await insert(ctx, MeetingInsight, given, { id }))
    },
  } satisfies Operation,
  email: {
    name: 'email_meeting_insight',
    summary: 'Mail what came of a meeting to those who were invited',
    can: { module: 'calendar', action: 'update' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          meeting_insight_id: { type: 'string', minLength: 1, maxLength: 25 },
          calendar_id: { type: 'string', minLength: 1, maxLength: 25 },
        },
        required: ['meeting_insight_id', 'calendar_id'],
      },
    },
    output: {
      type: 'object',
      properties: {
        status: { type: 'string' },
        sent: { type: 'integer', description: 'how many are mailed' },
      },
      required: ['status', 'sent'],
    },
    async run(ctx: Context, { body }: Input) {
      const insight = await named(ctx, body.meeting_insight_id)
      if (insight.calendar_id !== body.calendar_id) {
        throw badField('calendar_id', 'is not the meeting of this insight')
      }
      const people = await invitedTo(ctx, insight.calendar_id)
      for (const { name, address } of people) {
        mail(ctx, { to: { name, address }, ...(await summaryOf(ctx, insight)) })
      }
      ctx.emit({
        type: null,
        title: 'Meeting insight mailed',
        module_id: Meeting.number,
        reference_id: insight.calendar_id,
        changes: [{ field: 'mailed_to', from: null, to: people.map(({ address }) => address) }],
        raw_description: { action: 'mailed', module: 'calendar', name: insight.title },
      })
      return { status: 'success', sent: people.length }
    },
  } satisfies Operation,
}

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** The insight that a body names; 400 where the caller sees none of that id. */
async function named(ctx: Context, id: string): Promise<Row> {
  const found = await ctx.one<Row>(sql`
    select t.id, t.calendar_id, t.summary, t.action_items, m.title, m.starts_at
    from meeting_insights t
    join meetings m on m.organization_id = t.organization_id and m.id = t.calendar_id
    where ${scope(ctx, MeetingInsight, 'read')} and t.id = ${id}`)
  if (!found) throw badField('meeting_insight_id', 'no such record')
  return found
}

/** Everybody invited who has an e-mail, once each; of users and contacts the one they have now. */
function invitedTo(ctx: Context, calendar_id: string) {
  return ctx.all<{ name: string; address: string }>(sql`
    select distinct on (lower(e.address)) coalesce(u.full_name, c.full_name, a ->> 'name', '') as name,
      e.address
    from meetings t
    cross join jsonb_array_elements(t.attendees) a
    left join users u on a ->> 'type' = 'user' and u.organization_id = t.organization_id
      and u.id = a ->> 'id' and u.is_active and u.deleted_at is null
    left join contacts c on a ->> 'type' = 'contact' and c.organization_id = t.organization_id
      and c.id = a ->> 'id' and c.deleted_at is null
      and c.do_not_contact is distinct from 'yes'
    cross join lateral (select coalesce(u.email, c.primary_email,
      case when a ->> 'type' = 'external' then a ->> 'email' end) as address) e
    where ${mine(ctx)} and t.id = ${calendar_id} and e.address like '%@%'
    order by lower(e.address)`)
}

function summaryOf(ctx: Context, { title, starts_at, summary, action_items }: Row) {
  const day = `${Temporal.Instant.from(starts_at).toZonedDateTimeISO(ctx.organization.timezone).toPlainDate()}`
  const items = (action_items as unknown[]).map((item) =>
    typeof item === 'string' ? `• ${item}` : `• ${(item as Row)?.text ?? JSON.stringify(item)}`,
  )
  return letter({
    subject: `What came of “${title}”`,
    paragraphs: [
      `${title}, ${day}`,
      summary ?? 'No summary was written.',
      ...(items.length ? [`To do:\n${items.join('\n')}`] : []),
    ],
    note: `You are mailed because you were invited to this meeting of ${ctx.organization.name}.`,
  })
}
