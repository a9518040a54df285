import { audience, mayAll, readsAll } from '../../kit/record/scope.ts'
import { rowsOf } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { record } from '../../kit/record/record.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { Meeting, tookPart } from './meeting.ts'
import { key, list, oneOf, reference, stamp, text } from '../../kit/record/fields.ts'

const meeting = (what: string) => `(select ${what} from ${rowsOf('meetings')} m
  where m.organization_id = $organization and m.id = t.calendar_id)`

/** The summary and action items of a meeting (specification 2.3, MeetingInsight). */
export const MeetingInsight = record(
  {
    module: 'calendar',
    table: 'meeting_insights',
    word: 'meeting_insight',
    title: 'meeting_insight_id',
    rights: {
      seesAll: (actor) => readsAll(actor, ['calendar']) && mayAll(actor, 'roles', 'update'),
      attached: (ctx) => sql`t.calendar_id in (select t.id from meetings t
        where ${all(mine(ctx), audience(ctx, Meeting))} and t.deleted_at is null)`,
      // what was read out of a transcript is for those who were there, as the transcript is
      visible: (ctx, action) => sql`t.calendar_id in (select t.id from meetings t
        where ${all(mine(ctx), Meeting.rights.visible?.(ctx, action), sql`t.deleted_at is null`)})
        and (not t.transcribed or t.calendar_id in (select t.id from meetings t
          where ${all(mine(ctx), wasThere(ctx))}))`,
    },
    life: {
      weak: ['calendar_id'],
      loose: [{ column: 'action_items', to: ['users'], isJson: true }],
    },
  },
  {
    meeting_insight_id: key(),
    calendar_id: reference(
      {
        table: 'meetings',
        shows: null,
        to: (): AnyRecord => Meeting,
        by: { calendar_id: { column: 'id' }, id: { column: 'id' } },
      },
      { required: true },
    ),
    title: text(255, { nullable: true, expression: meeting('m.title') }),
    start_time: text(40, {
      nullable: true,
      expression: meeting(
        `to_char(m.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      ),
    }),
    // minutes
    duration: text(20, {
      nullable: true,
      expression: meeting('(extract(epoch from m.ends_at - m.starts_at) / 60)::integer::text'),
    }),
    users: text(10_000, {
      nullable: true,
      expression: meeting(`coalesce((select string_agg(coalesce(a ->> 'name', a ->> 'email'), ', ')
        from jsonb_array_elements(m.attendees) a), '')`),
    }),
    status: oneOf(['cancelled', 'completed', 'scheduled'], {
      nullable: true,
      title: 'MeetingStatus',
      expression: meeting(`case when m.is_meeting_cancelled then 'cancelled'
        when m.ends_at <= now() then 'completed' else 'scheduled' end`),
    }),
    is_favorite: text(5, { expression: `'false'` }),
    summary: text(),
    action_items: list({}, { default: [], filterable: false }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** Meetings of which the caller may read what was said: those that they organize or took part in; all of administrators. */
export function wasThere({ actor }: Context): Query | undefined {
  return mayAll(actor, 'roles', 'update') ? undefined : tookPart(actor)
}
