import { Type } from 'typebox'
import { crud } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { extend, orNull, without } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { readSchema, updateSchema } from '../../kit/record/schema.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { lock, remove, restore, written } from '../../kit/write/write.ts'
import { checkReceiver, handOver } from '../hand-over/hand-over.ts'
import type { Belongings } from '../hand-over/belongings.ts'
import { belongingsOf } from '../hand-over/belongings.ts'
import { changeUser, endAccess } from './change.ts'
import {
  callersStanding,
  checkHolds,
  checkTouchable,
  currentStanding,
  lockPeople,
  requireAdmin,
  requireAnAdmin,
} from '../../model/users/guards.ts'
import { acceptInvitation, checkVisible, findInvitation, inviteOrChange } from './invite.ts'
import { UserProfile } from '../../model/users/user.ts'

/**
 * Read-only to a PUT on somebody else's profile, as the specification marks them; `profile/action/`
 * sets them. `role_id` and `is_active` are marked so too, but the contract opens them to those who may
 * edit users.
 */
const readOnlyToPut = [
  'full_name',
  'phone_no',
  'profile_image',
  'cover_image',
  'background_image',
] as const

const plain = crud(UserProfile)

/** Fields that users may set in their own profile, besides those that a PUT may set in any. */
const ownBody: JSONSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(updateSchema(UserProfile).properties as { [name: string]: JSONSchema }).filter(
      ([name]) => (readOnlyToPut as readonly string[]).includes(name),
    ),
  ),
}

/** The operations on users. */
export const users = {
  list: plain.list,
  read: plain.read,
  update: operation({
    ...plain.update,
    // everyone may edit their own profile, so the rights are checked once the record is known
    can: 'signed_in',
    description:
      'Your own profile, or by the right to edit users. In the profile of somebody else, name, phone and pictures are ignored; `profile/action/` sets them, and e-mail addresses. `X-Links` names, for admins, what a deactivated user is still responsible for; `hand-over/` hands it over.',
    input: {
      ...plain.update.input,
      // in somebody else's profile these are ignored, whatever their values
      body: without(plain.update.input.body, 'email', ...readOnlyToPut),
    },
    async run(ctx, { params, body, ifMatch }) {
      const changes: Patch<typeof UserProfile> = { ...body }
      delete changes.email
      if (params.id === ctx.actor.user_id) checkBody(ownBody, changes)
      else for (const name of readOnlyToPut) delete changes[name]
      const { body: shown, meta } = written(await changeUser(ctx, params.id, changes, ifMatch))
      const headers = changes.is_active === false ? await linksHeader(ctx, params.id) : {}
      return new Answer(shown, { ...meta, headers })
    },
  }),
  remove: operation({
    ...plain.remove,
    description:
      'The user can be restored for 30 days. `X-Links` names, for admins, what the user is still responsible for; it can also be handed over afterwards.',
    input: {
      ...plain.remove.input,
      query: Type.Object({
        hand_over_to: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 25,
            description:
              'for admins: the user who takes over from the removed one, in the same step; `X-Hand-Over-Id` can undo it',
          }),
        ),
      }),
    },
    async run(ctx, { params, query: { hand_over_to: to }, ifMatch }) {
      await lockPeople(ctx)
      const { row } = await lock(ctx, UserProfile, params.id, 'delete', ifMatch)
      const current = await checkTouchable(ctx, row)
      if (current.kind === 'admin' && row.is_active)
        await requireAnAdmin(ctx, { user_id: params.id })
      const handed = to === undefined ? undefined : await handOverAll(ctx, params.id, to)
      const links = await linksHeader(ctx, params.id)
      // after the hand-over the profile has a newer version
      const removed = await remove(ctx, UserProfile, params.id)
      await endAccess(ctx, params.id)
      const headers = {
        ...links,
        ...(handed ? { 'x-hand-over-id': handed } : {}),
      }
      return new Answer(removed.body, { ...removed.meta, headers })
    },
  }),
  restore: operation({
    ...plain.restore,
    async run(ctx, { params }) {
      await lockPeople(ctx)
      const restored = await restore(ctx, UserProfile, params.id)
      const { role_id } = JSON.parse(await restored.json()) as Row<typeof UserProfile>
      checkHolds(ctx, await callersStanding(ctx), await currentStanding(ctx, role_id))
      ctx.forget()
      return written(restored)
    },
  }),
}

/** Hands over everything; 403 for everybody except admins, 400 for somebody who cannot take over. */
async function handOverAll(ctx: Context, from: string, to: string): Promise<string> {
  await requireAdmin(ctx, 'Only admins may hand over what a user is responsible for')
  await checkReceiver(ctx, from, to, 'hand_over_to')
  return (await handOver(ctx, from, to, undefined)).hand_over_id
}

/** What still belongs to a user who leaves, for admins. */
async function linksHeader(ctx: Context, user_id: string): Promise<{ 'x-links'?: string }> {
  const links = ctx.actor.is_admin ? await belongingsOf(ctx, user_id) : []
  return links.length ? { 'x-links': links.map(inHeader).join(', ') } : {}
}

/** As members of a dictionary of RFC 9651: `companies=2, tasks=5`. */
function inHeader({ kind, count }: Belongings): string {
  return `${kind}=${count}`
}

/** The properties of the specification's `profile/action/` besides the fields that it sets. */
const selectors = {
  profile_id: Type.Optional(
    orNull(
      Type.String({
        maxLength: 25,
        description: 'the user; required except for an invitation, which has `email`',
      }),
    ),
  ),
  user_id: Type.Optional(
    orNull(Type.String({ maxLength: 25, description: 'the same as profile_id' })),
  ),
  invite_token: Type.Optional(
    orNull(Type.String({ maxLength: 500, description: 'accepts an invitation' })),
  ),
}

/**
 * With an e-mail that nobody has, invites; with an `invite_token`, accepts; otherwise updates. The
 * answer to an invitation contains the token, only this once.
 */
export const profileAction = operation({
  name: 'upsert_user',
  summary: 'Invite a user, accept an invitation, or update a profile',
  // the required right depends on the body
  can: 'signed_in',
  writes: true,
  input: { body: extend(updateSchema(UserProfile), selectors) },
  output: readSchema(UserProfile),
  async run(ctx, { body: input }) {
    const { profile_id, user_id, invite_token, ...body } = input
    if (invite_token) {
      const found = await findInvitation(ctx, invite_token)
      if (!found) throw badField('invite_token', 'is unknown, was used, or has expired')
      return written(await acceptInvitation(ctx, found, {}))
    }
    if (profile_id && user_id && profile_id !== user_id) {
      throw badField('user_id', 'must be the same as profile_id')
    }
    const named = profile_id || user_id
    if (!named) return inviteOrChange(ctx, body)
    await checkVisible(ctx, profile_id ? 'profile_id' : 'user_id', named)
    return written(await changeUser(ctx, named, body), false)
  },
})
