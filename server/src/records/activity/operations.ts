import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { entrySchema } from './entry.ts'
import { listOwnEntries } from './feed.ts'
import { waysToName } from '../../model/people/people.ts'
import { createBody, createEntry, listEntries, readEntry } from './log.ts'
import { subjectFrom, subjectModule } from './subject.ts'
import { trackBody, trackEvent } from './track.ts'

const module = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 40, description }))

const pages = {
  ...pageProperties,
  offset: offsetProperty,
  created_by: Type.Optional(idInQuery(`only entries of this user, by ${waysToName}`)),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'only entries of this event, such as company_updated',
    }),
  ),
  action: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'only entries of this action, such as deleted, with or without an event',
    }),
  ),
  include_count: Type.Optional(Type.Boolean({ description: 'adds X-Total-Count' })),
}

export const activityLog = {
  list: operation({
    name: 'list_activity',
    summary: 'List activity',
    description: 'Newest first.',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        ...pages,
        module_id: module('a module, by number or word'),
        module_name: module('same as module_id'),
        reference_id: module('a record of that module'),
      }),
    },
    output: arrayOf(entrySchema),
    run: (ctx, { query }) => listEntries(ctx, query, subjectFrom(query)),
  }),
  ofRecord: operation({
    name: 'list_record_activity',
    summary: 'List the activity of a record',
    description: 'Newest first.',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: {
      params: Type.Object({
        module_id: Type.String({ description: 'a module, by number or word' }),
        reference_id: Type.String({ description: 'the id of the record' }),
      }),
      query: Type.Object(pages),
    },
    output: arrayOf(entrySchema),
    run(ctx, { params, query }) {
      const found = subjectModule(params.module_id)
      if (!found || !/^\w+$/.test(params.reference_id)) throw notFound('Record')
      return listEntries(ctx, query, { ...found, id: params.reference_id })
    },
  }),
  read: operation({
    name: 'read_activity',
    summary: 'Retrieve an entry of the activity log',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: { params: Type.Object({ id: Type.String({ description: 'its log_id' }) }) },
    output: entrySchema,
    run: (ctx, { params }) => readEntry(ctx, params.id),
  }),
  create: operation({
    name: 'create_activity',
    summary: 'Create an entry of the activity log',
    description: 'Descriptions that are left out are derived.',
    can: { module: 'activity', action: 'create' },
    writes: true,
    input: { body: createBody },
    output: entrySchema,
    run: (ctx, { body }) => createEntry(ctx, body),
  }),
}

export const track = operation({
  name: 'track_activity',
  summary: 'Record an engagement event',
  description:
    'Stored as sent. With `is_encrypted` true, `user_obj.email` and `recipient_email` are opaque: ' +
    'stored unchanged, compared with nothing and in no sentence. Otherwise the event is logged for ' +
    'the contact with that e-mail address, unless it names a record itself.',
  can: { module: 'activity', action: 'create' },
  writes: true,
  input: { body: trackBody },
  output: entrySchema,
  run: (ctx, { body }) => trackEvent(ctx, body),
})

export const ownFeed = operation({
  name: 'list_own_activity',
  summary: 'List your own activity',
  description: 'What you did, and what was done to your profile; newest first.',
  can: 'signed_in',
  writes: false,
  input: { query: Type.Object({ ...pageProperties, offset: offsetProperty }) },
  output: arrayOf(entrySchema),
  run: (ctx, { query }) => listOwnEntries(ctx, query),
})
