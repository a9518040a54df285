import { openRowsOf, partsOf, rowsOf } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { moduleWordIn, numberedRecords } from '../../kit/record/modules.ts'
import type { Levels, Row } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { rights } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { person } from '../people/person.ts'
import { sharedAlone } from '../attached/shared.ts'
import {
  boolean,
  integer,
  key,
  list,
  listOf,
  object,
  stamp,
  text,
  timestamp,
} from '../../kit/record/fields.ts'

const here = 'organization_id = $organization'

const mention = {
  user_id: Type.String(),
  full_name: Type.String(),
  profile_image: orNull(Type.String()),
}

const reaction = { reaction: Type.String(), user_id: Type.String(), full_name: Type.String() }

const attachment = {
  attach_id: Type.String({ description: 'the id of the document' }),
  document_name: Type.String(),
  file_name: orNull(Type.String()),
  file_type: orNull(Type.String()),
  file_size: orNull(Type.Integer({ description: 'in bytes' })),
  file_icon: orNull(Type.String()),
}

const reply = {
  interaction_id: Type.String(),
  content: Type.String(),
  parent_interaction_id: Type.String(),
  thread_level: Type.Integer(),
  is_deleted: Type.Boolean(),
  formatted_creation_time: Type.String(),
  user_details: Type.Object(
    {
      user_id: orNull(Type.String()),
      full_name: orNull(Type.String()),
      profile_image: orNull(Type.String()),
    },
    { title: 'InteractionAuthor' },
  ),
}

const user = (alias: string) => `jsonb_build_object('user_id', ${alias}.id,
  'full_name', ${alias}.full_name, 'profile_image', ${alias}.profile_image)`

/** In the organization's zone, as text for its people to read. */
const shownTime = (alias: string) =>
  `to_char(${alias}.creation_time at time zone
    (select o.timezone from organizations o where o.${here}), 'Mon DD, YYYY HH24:MI')`

/** Customers and partners write comments where they see the record. */
const comments: Levels = ['all', 'all', 'own', 'own']

/** A comment on a record, in threads (specification 2.3). */
export const Interaction = record(
  {
    module: 'interactions',
    word: 'interaction',
    title: 'content',
    rights: {
      defaults: { customer: comments, partner: comments },
      // they see shared comments on records that they see
      attached: () => sql`true`,
      takesPart: ({ user_id: me }) => sql`(t.created_by = ${me} or t.mentions ? ${me}::text
        or t.visible_to_users ? ${me}::text)`,
      shared: sharedAlone,
      visible,
      visibleParts: ownOrOpen,
      // of a deleted one only its place above the replies is left
      can: (_ctx, action, allowed) =>
        action === 'restore' ? sql`false` : sql`(${allowed} and not t.is_deleted)`,
    },
    life: {
      loose: [
        { column: 'reference_id', module: 'module_id', onRemoval: 'remove' },
        { column: 'parent_interaction_id', to: ['interactions'] },
        { column: 'thread_id', to: ['interactions'] },
        { column: 'visible_to_users', to: ['users'], isJson: true },
        { column: 'reply_readers', to: ['users'], isJson: true },
        { column: 'mentions', to: ['users'], isJson: true },
      ],
    },
    find: {
      searchable: true,
      // its list is always of one record
      filteredAs: [],
      personal: { is_read: readBy },
    },
    apps: {
      scope: { word: 'interaction', things: 'comments', isReadOnly: true },
    },
    events: {
      kinds: {
        interaction_created: { on: 'created', summary: 'A comment or a message was written' },
      },
    },
  },
  {
    interaction_id: key(),
    content: text(10_000, { required: true }),
    rating: integer({
      readOnly: true,
      nullable: true,
      refusal: 'is given in the portal, when a milestone is completed',
    }),
    interaction_type: text(60, { default: 'interaction' }),
    happened_at: timestamp({
      description: 'when the call, mail or visit took place; null where it is the time of writing',
    }),
    module_id: integer({ readOnly: true, refusal: 'is set on create and cannot be changed' }),
    module_name: text(40, { expression: () => moduleWordIn('t.module_id') }),
    reference_id: text(25, { readOnly: true, refusal: 'is set on create and cannot be changed' }),
    is_pinned: boolean({ default: false }),
    is_resolved: boolean({ default: false }),
    is_private: boolean({ default: false }),
    is_shared: boolean({ default: false }),
    visible_to_users: list(Type.String({ maxLength: 255 }), { default: [], filterable: false }),
    reply_count: integer({
      description: 'The number of replies that the caller may read.',
      expression: `(select count(*) from ${partsOf('interactions')} r where r.${here} and r.parent_interaction_id = t.id
        and r.deleted_at is null)`,
    }),
    mentions: list(
      {},
      {
        default: [],
        filterable: false,
        shown: listOf(mention, { title: 'Mention' }),
        read: `(select coalesce(jsonb_agg(${user('u')} order by u.id), '[]') from ${openRowsOf('users')} u
        where u.${here} and t.mentions ? u.id)`,
      },
    ),
    reactions: listOf(reaction, {
      title: 'Reaction',
      filterable: false,
      expression: `(select coalesce(jsonb_agg(jsonb_build_object('reaction', r.reaction, 'user_id', r.user_id,
          'full_name', u.full_name) order by r.creation_time, r.user_id, r.reaction), '[]')
        from interaction_reactions r
        join ${openRowsOf('users')} u on u.organization_id = $organization and u.id = r.user_id
        where r.${here} and r.interaction_id = t.id)`,
    }),
    reactions_summary: object({
      schema: { additionalProperties: { type: 'integer' }, description: 'how often, by reaction' },
      expression: `(select coalesce(jsonb_object_agg(reaction, n), '{}') from (select r.reaction, count(*) as n
        from interaction_reactions r where r.${here} and r.interaction_id = t.id
        group by r.reaction) each)`,
    }),
    formatted_creation_time: text(60, { expression: shownTime('t') }),
    user_details: person({
      readOnly: true,
      nullable: true,
      column: 'created_by',
      filterable: false,
    }),
    // differs by caller: false in rows, see `personal`
    is_read: boolean({ expression: 'false' }),
    attachment_files: listOf(attachment, {
      title: 'AttachmentFile',
      filterable: false,
      expression: `(select coalesce(jsonb_agg(jsonb_build_object('attach_id', d.id, 'document_name',
          d.document_name, 'file_name', d.file_name, 'file_type', d.file_type, 'file_size',
          d.file_size, 'file_icon', d.file_icon) order by a.position), '[]')
        from interaction_attachments a
        join ${rowsOf('documents')} d on d.organization_id = $organization and d.id = a.document_id
        where a.${here} and a.interaction_id = t.id and d.deleted_at is null)`,
    }),
    reply_interactions: listOf(reply, {
      title: 'InteractionReply',
      filterable: false,
      expression: `(select coalesce(jsonb_agg(jsonb_build_object('interaction_id', r.id, 'content', r.content,
          'parent_interaction_id', r.parent_interaction_id, 'thread_level', r.thread_level,
          'is_deleted', r.is_deleted, 'formatted_creation_time', ${shownTime('r')},
          'user_details', ${user('u')}) order by r.id), '[]')
        from (select * from ${partsOf('interactions')} r where r.${here} and r.thread_id = t.id and r.id <> t.id
          and r.deleted_at is null order by r.id limit 200) r
        left join ${openRowsOf('users')} u on u.organization_id = $organization and u.id = r.created_by)`,
    }),
    thread_level: integer({
      readOnly: true,
      default: 0,
      refusal: 'follows from parent_interaction_id',
    }),
    parent_interaction_id: text(25, {
      readOnly: true,
      nullable: true,
      refusal: 'is set on create and cannot be changed',
    }),
    is_system_generated: boolean({
      readOnly: true,
      default: false,
      refusal: 'is set for what the service writes',
    }),
    is_deleted: boolean({ readOnly: true }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** A comment as a read shows it. */
export type InteractionRow = Row<typeof Interaction>

/** Whether the caller has read a comment: always their own, others once marked as read. */
export async function readBy(ctx: Context, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const me = ctx.actor.user_id
  const read = await ctx.all<{ id: string }>(sql`
    select t.id from interactions t where ${mine(ctx)} and t.id = any(${ids}::varchar[])
      and (t.created_by = ${me} or exists (select from interaction_reads r
        where r.organization_id = $organization and r.interaction_id = t.id
          and r.user_id = ${me}))`)
  return new Set(read.map(({ id }) => id))
}

/**
 * Callers who see the record that the comment is about; for private comments only the author and
 * `visible_to_users`. The record is looked up by its id: collecting all records that the caller may read took
 * 130 ms per read with 150,000 of a type.
 */
function visible(ctx: Context): Query {
  const isReadable = numberedRecords().map((record) => {
    const allowed = rights(ctx, record, 'read')
    const alive = record.life.softDelete ? sql`t.deleted_at is null` : undefined
    return sql`when about.module = ${record.number} then exists (select from ${sql.table(record.table)} t
      where ${all(mine(ctx), sql`t.id = about.id`, alive, allowed)})`
  })
  return sql`(${ownOrOpen(ctx)} and exists (
    select from (values (t.module_id, t.reference_id)) about (module, id)
    where case ${sql.join(isReadable, sql` `)} else false end))`
}

/**
 * Which replies of a thread its readers see: whoever sees the first comment also sees the record. A
 * private reply without readers of its own is for the team.
 */
function ownOrOpen({ actor }: Context): Query {
  const { user_id: me, is_confined } = actor
  const ofTeam = is_confined
    ? sql`false`
    : sql`(t.parent_interaction_id is not null and t.visible_to_users = '[]'::jsonb)`
  return sql`(not t.is_private or t.created_by = ${me} or t.visible_to_users ? ${me}::text
    or ${ofTeam})`
}
