import { Type } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { idInQuery, suppliedId } from '../../kit/ground/ids.ts'
import {
  arrayOf,
  enumeration,
  extend,
  schema,
  without,
  orNull,
} from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { insert, written } from '../../kit/write/write.ts'
import { freeId } from '../../kit/write/supplied-id.ts'
import { createMeeting } from './create.ts'
import { feedUrl, renewFeedUrl } from './feed.ts'
import { freeBusy, freeBusyBody, readFreeBusy } from './free-busy.ts'
import { createBody, updateBody } from './input.ts'
import { emailBody, emailInsight } from './insight-email.ts'
import { MeetingInsight } from '../../model/calendar/insight.ts'
import { listMeetings } from './list.ts'
import { listMailedAnswers, mailedAnswers } from './mailed-answers.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { calendarOptions, readOptions } from './options.ts'
import { cancelByRemoval, restoreMeeting } from './remove.ts'
import { respond } from './respond.ts'
import { acceptBody, accepted, acceptItems } from './transcripts/accept.ts'
import { meetingTranscript, transcriptBody } from './transcripts/schema.ts'
import { addTranscript, readTranscript, removeTranscript } from './transcripts/transcript.ts'
import { draftFollowUp, followUp, followUpQuery } from './transcripts/follow-up.ts'
import { updateMeeting } from './update.ts'
import { settleAnswer } from './settle-answer.ts'
import { meetingsWith } from './with.ts'
import { readOne } from '../../kit/read/one.ts'

const plain = crud(Meeting)
const time = (description: string) =>
  Type.Optional(schema<string>({ type: 'string', format: 'date-time', description }))
const idsInQuery = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 1500, description: `${description}: ids, separated by commas` }),
  )
const occurrence = extend(readSchema(Meeting), {
  series_start: time('of an occurrence of a series: when the series starts'),
})

export const calendar = {
  ...plain,
  list: operation({
    ...plain.list,
    summary: 'List meetings',
    description: 'Between `start` and `end` each occurrence of a recurring meeting is listed.',
    input: {
      query: extend(plain.list.input.query, {
        start: time('from this time on: series are expanded'),
        end: time('until here'),
        account_id: Type.Optional(idInQuery('only meetings with an account')),
        company_id: Type.Optional(idInQuery('only meetings with a company')),
        contact_id: Type.Optional(idInQuery('only meetings with a contact')),
        people: idsInQuery(
          'only meetings that one of these users organizes or is invited to, or of one of the projects',
        ),
        projects: idsInQuery('only meetings of one of these projects, or of one of the people'),
      }),
    },
    output: arrayOf({ ...occurrence, title: 'MeetingOccurrence' }),
    run: async (
      ctx,
      { query: { account_id, company_id, contact_id, people, projects, ...query } },
    ) =>
      listMeetings(
        ctx,
        query,
        await meetingsWith(ctx, { account_id, company_id, contact_id, people, projects }),
      ),
  }),
  create: operation({
    ...plain.create,
    input: { body: createBody },
    run: async (ctx, { body }) => written(await createMeeting(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    input: { params: byId, body: updateBody },
    run: async (ctx, { params, body, ifMatch }) =>
      written(await updateMeeting(ctx, params.id, body, ifMatch)),
  }),
  remove: operation({
    ...plain.remove,
    run: (ctx, { params, ifMatch }) => cancelByRemoval(ctx, params.id, ifMatch),
  }),
  restore: operation({
    ...plain.restore,
    run: async (ctx, { params }) => written(await restoreMeeting(ctx, params.id)),
  }),
  respond: operation({
    name: 'respond_to_meeting',
    summary: 'Respond to a meeting invitation',
    can: { module: 'calendar', action: 'read' },
    writes: true,
    input: {
      params: byId,
      body: Type.Object({
        response: enumeration(['accepted', 'tentative', 'declined'], { title: 'InvitationAnswer' }),
      }),
    },
    output: readSchema(Meeting),
    run: (ctx, { params, body }) => respond(ctx, params.id, body.response),
  }),
  mailedAnswers: operation({
    name: 'list_mailed_answers_of_meeting',
    summary: 'List what calendar programs have answered to a meeting',
    description:
      'Answers by mail, other times that are proposed, and mails that were kept apart, with the reason; newest first.',
    can: { module: 'calendar', action: 'update' },
    writes: false,
    input: { params: byId },
    output: mailedAnswers,
    run: (ctx, { params }) => listMailedAnswers(ctx, params.id),
  }),
  settleAnswer: operation({
    name: 'settle_meeting_proposal',
    summary: 'Accept or turn down another time that an attendee proposes',
    description:
      'Accepting moves the meeting, or the date of the series that it is about, and asks everybody else again.',
    can: { module: 'calendar', action: 'update' },
    writes: true,
    isVersioned: true,
    input: {
      params: Type.Object({
        id: Type.String({ description: 'the id of the meeting' }),
        answer_id: Type.String({ description: 'the id of the proposal' }),
      }),
      body: Type.Object({
        decision: enumeration(['accept', 'keep'], { title: 'ProposalDecision' }),
      }),
    },
    output: readSchema(Meeting),
    run: (ctx, { params, body, ifMatch }) => settleAnswer(ctx, params, body.decision, ifMatch),
  }),
  freeBusy: operation({
    name: 'read_free_busy',
    summary: 'Retrieve when colleagues are busy, and the next times at which all are free',
    description:
      'Meetings and days on which somebody is away; titles only of meetings that the caller may read.',
    can: { module: 'calendar', action: 'create' },
    writes: false,
    input: { body: freeBusyBody },
    output: freeBusy,
    run: (ctx, { body }) => readFreeBusy(ctx, body),
  }),
  options: operation({
    name: 'read_calendar_options',
    summary: 'Retrieve the options for meetings',
    description: 'Time zones, types, colors, kinds of video conference, responses and people.',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {},
    output: calendarOptions,
    run: readOptions,
  }),
  bySource: operation({
    name: 'read_meeting_by_source',
    summary: 'Retrieve a meeting by its external reference',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        source_ref_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      }),
    },
    output: readSchema(Meeting),
    async run(ctx, { query }) {
      if (!query.source_ref_id) throw badField('source_ref_id', 'is required')
      const found = await ctx.one<{ id: string }>(sql`select t.id from meetings t
        where ${scope(ctx, Meeting, 'read')} and t.source_reference = ${query.source_ref_id}`)
      if (!found) throw notFound('Meeting')
      return readOne(ctx, Meeting, found.id)
    },
  }),
}

/** What was said in a meeting; for those who were there, and administrators. */
export const transcripts = {
  add: operation({
    name: 'add_meeting_transcript',
    summary: 'Add the transcript of a meeting',
    description:
      'For those who were invited. It is read for a summary, decisions and what somebody took on: by rules at once, and then by a language model where one is configured. It replaces an earlier one.',
    can: { module: 'calendar', action: 'update' },
    topic: 'calendar',
    writes: true,
    input: { params: byId, body: transcriptBody },
    output: meetingTranscript,
    run: (ctx, { params, body }) => addTranscript(ctx, params.id, body),
  }),
  read: operation({
    name: 'read_meeting_transcript',
    summary: 'Retrieve the transcript of a meeting',
    description:
      'With what was read out of it; null without one. For those who were invited, and administrators. Its version is that of the meeting.',
    can: { module: 'calendar', action: 'read' },
    topic: 'calendar',
    writes: false,
    input: { params: byId },
    output: orNull(meetingTranscript),
    async run(ctx, { params: { id } }) {
      // before the text: of one that is replaced meanwhile the version is old, and `If-Match` refuses it
      const found = await ctx.one<{ version: number }>(
        sql`select t.version from meetings t where ${mine(ctx)} and t.id = ${id}`,
      )
      return new Answer(await readTranscript(ctx, id), found)
    },
  }),
  remove: operation({
    name: 'delete_meeting_transcript',
    summary: 'Delete the transcript of a meeting',
    description:
      'With what was read out of it. It cannot be restored; tasks that were made of it stay.',
    can: { module: 'calendar', action: 'update' },
    topic: 'calendar',
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params, ifMatch }) => removeTranscript(ctx, params.id, ifMatch),
  }),
}

const feedAddress = Type.Object(
  { url: Type.String({ description: 'for calendar programs to subscribe to' }) },
  { title: 'CalendarFeed' },
)

/** The secret address under which a calendar program reads the meetings of a user. */
export const calendarFeed = {
  read: operation({
    name: 'read_calendar_feed_url',
    isSecret: true,
    summary: 'Retrieve the URL of your calendar feed',
    description: 'A secret URL under which calendar programs read your meetings.',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {},
    output: feedAddress,
    run: feedUrl,
  }),
  renew: operation({
    name: 'renew_calendar_feed_url',
    summary: 'Renew the URL of your calendar feed',
    description: 'The previous URL stops working.',
    can: { module: 'calendar', action: 'read' },
    writes: true,
    isSecret: true,
    input: {},
    output: feedAddress,
    run: renewFeedUrl,
  }),
}

const plainInsights = crud(MeetingInsight)

export const insights = {
  ...plainInsights,
  list: operation({
    ...plainInsights.list,
    name: 'list_meeting_insights',
    summary: 'List meeting insights',
    input: { query: without(plainInsights.list.input.query, 'filter', 'filter_id') },
    run(ctx, { query }) {
      // ids may be supplied by callers, so that their order is not that of creation
      const order = { sort: 'creation_time', reverse: !query.reverse }
      return listPage(ctx, MeetingInsight, inOwnOrder(query, order))
    },
  }),
  create: operation({
    ...plainInsights.create,
    input: {
      body: extend(plainInsights.create.input.body, { meeting_insight_id: suppliedId }),
    },
    async run(ctx, { body }) {
      const { meeting_insight_id, ...draft } = body
      await freeId(ctx, MeetingInsight, meeting_insight_id)
      return written(await insert(ctx, MeetingInsight, draft, { id: meeting_insight_id }))
    },
  }),
  draft: operation({
    name: 'draft_meeting_follow_up',
    summary: 'Draft a mail about what came out of a meeting',
    description:
      'Decisions and what is to be done by whom, in a language; the tasks that customers see, and the suggestions that are named.',
    can: { module: 'calendar', action: 'read' },
    topic: 'calendar',
    writes: false,
    input: { query: followUpQuery },
    output: followUp,
    run: (ctx, { query }) => draftFollowUp(ctx, query),
  }),
  accept: operation({
    name: 'accept_meeting_insight',
    summary: 'Create tasks of what was said in a meeting',
    description: 'All of them or none, in one act that can be undone.',
    can: { module: 'tasks', action: 'create' },
    topic: 'calendar',
    writes: true,
    input: { params: byId, body: acceptBody },
    output: accepted,
    async run(ctx, { params, body }) {
      const made = await acceptItems(ctx, params.id, body)
      return new Answer(made, { id: made.act_id })
    },
  }),
  email: operation({
    name: 'email_meeting_insight',
    summary: 'Email a meeting insight to the attendees',
    description:
      'Its summary and action items, or a text of your own such as the draft; to all attendees with an e-mail, or some.',
    can: { module: 'calendar', action: 'update' },
    writes: true,
    input: { body: emailBody },
    output: Type.Object({
      status: Type.String(),
      sent: Type.Integer({ description: 'how many people are mailed' }),
    }),
    run: (ctx, { body }) => emailInsight(ctx, body),
  }),
}
