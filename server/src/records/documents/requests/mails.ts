import type { Context } from '../../../kit/ground/context.ts'
import type { Voice } from '../../../model/languages/language.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import type { Brand } from '../../mail/brand.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Sender } from '../../mail/post.ts'
import { personOf, post as postLetter } from '../../mail/post.ts'
import { known } from '../../mail/readers.ts'
import type { Recipient, SignatureRequest } from './request.ts'
import type { SignatureRole } from '../../../model/documents/requests/states.ts'

type Person = Pick<Recipient, 'id' | 'name' | 'email' | 'role' | 'token_sealed'>
type CopiedFile = Pick<StoredDocument, 'storage_key' | 'file_name' | 'file_type' | 'file_size'>
type Copy = NonNullable<Mail['attachments']>[number] | null
type Request = Pick<SignatureRequest, 'message' | 'expires_at' | 'created_by'>

/**
 * Invites a recipient to sign, approve or read, in the name of whoever requested it. `former` is who has handed it over
 * to them.
 */
export async function invitation(
  ctx: Context,
  to: Person,
  document: string,
  request: Request,
  former?: string,
) {
  const sender = await personOf(ctx, request.created_by)
  const role = roleWords[to.role]
  await post(
    ctx,
    to,
    sender,
    (voice, { name: organization }) => {
      const said = { organization, document, person: sender?.name ?? organization }
      return {
        subject: voice.say(`sign.${role}.subject`, said),
        paragraphs: [
          voice.say(`sign.${role}.text`, said),
          ...(former ? [voice.say('sign.handed_over', { person: former })] : []),
          ...detailsOf(voice, request),
        ],
        label: voice.say('sign.open'),
      }
    },
    { needed: neededOf(ctx, to) },
  )
}

/** Reminds a recipient. */
export async function reminder(ctx: Context, to: Person, document: string, request: Request) {
  await post(
    ctx,
    to,
    await personOf(ctx, request.created_by),
    (voice) => ({
      subject: voice.say('sign.reminder.subject', { document }),
      paragraphs: [voice.say('sign.reminder.text', { document }), ...detailsOf(voice, request)],
      label: voice.say('sign.open'),
    }),
    { needed: neededOf(ctx, to) },
  )
}

/** Mails a recipient the code with which their page opens; nobody else is named in it. */
export async function codeMail(ctx: Context, to: Person, document: string, code: string) {
  const { name, email: address } = to
  const [reader = { address }] = await known(ctx, [{ name, address }])
  await postLetter(
    ctx,
    reader,
    (voice) => ({
      subject: voice.say('sign.code.subject', { code, document }),
      paragraphs: [voice.say('sign.code.text', { code, document })],
      note: voice.say('sign.note'),
      name,
    }),
    { kind: 'signature', sender: null, needed: neededOf(ctx, to) },
  )
}

/** It goes to nobody else's place: a corrected or handed over link ends. */
function neededOf(ctx: Context, { id, token_sealed }: Person): Mail['needed'] {
  const hash = ctx.secrets.hash(ctx.secrets.decrypt(token_sealed))
  return { recipient: id, signing: hash.toString('hex') }
}

/** Informs a recipient that the request was withdrawn. */
export async function withdrawal(
  ctx: Context,
  to: Person,
  document: string,
  reason: string | null,
  copy: Copy = null,
) {
  await post(
    ctx,
    to,
    undefined,
    (voice, { name: organization }) => ({
      subject: voice.say('sign.withdrawn.subject', { document }),
      paragraphs: [
        voice.say('sign.withdrawn.text', { organization, document }),
        ...(reason ? [reason] : []),
        ...(copy ? [voice.say('sign.copy')] : []),
      ],
    }),
    { attachments: copy ? [copy] : [] },
  )
}

/** Informs a recipient who has signed that another declined, with a copy of what they signed. */
export async function refusal(
  ctx: Context,
  to: Person,
  document: string,
  person: string,
  copy: Copy,
) {
  await post(
    ctx,
    to,
    undefined,
    (voice) => ({
      subject: voice.say('sign.refused.subject', { document }),
      paragraphs: [
        voice.say('sign.refused.text', { document, person }),
        ...(copy ? [voice.say('sign.copy')] : []),
      ],
    }),
    { attachments: copy ? [copy] : [] },
  )
}

/** The file that somebody signed, as mails attach it; null without one, or if it is too large. */
export function copyOf({ storage_key, file_name, file_type, file_size }: CopiedFile): Copy {
  if (!storage_key || (file_size ?? 0) > mostAttached) return null
  const type = file_type ?? 'application/octet-stream'
  return { filename: file_name ?? 'file', storedKey: storage_key, type }
}

/** Larger files are not attached: many mail servers accept at most 10 MB. */
export const mostAttached = 7 * 2 ** 20

/** Informs a recipient that everybody has signed, with the sealed document unless it is too large. */
export async function completion(
  ctx: Context,
  to: Person,
  document: string,
  request: Request,
  file: Copy,
) {
  await post(
    ctx,
    to,
    await personOf(ctx, request.created_by),
    (voice) => ({
      subject: voice.say('sign.complete.subject', { document }),
      paragraphs: [
        voice.say('sign.complete.text', { document }),
        ...(file ? [voice.say('sign.complete.attached')] : []),
      ],
      label: voice.say('sign.get'),
    }),
    { attachments: file ? [file] : [] },
  )
}

/** The wording for each role. */
export const roleWords: { [role in SignatureRole]: 'signer' | 'approver' | 'viewer' } = {
  signer: 'signer',
  approver: 'approver',
  viewer: 'viewer',
  cc: 'viewer',
}

async function post(
  ctx: Context,
  { name, email: address, token_sealed }: Person,
  sender: Sender | null | undefined,
  compose: (
    voice: Voice,
    brand: Brand,
  ) => { subject: string; paragraphs: string[]; label?: string },
  options: Pick<Mail, 'attachments' | 'needed'> = {},
) {
  const url = `${ctx.public_url}/sign/${ctx.secrets.decrypt(token_sealed)}`
  const [reader = { address }] = await known(ctx, [{ name, address }])
  await postLetter(
    ctx,
    reader,
    (voice, brand) => {
      const { label, ...content } = compose(voice, brand)
      const actions = label ? [{ label, url }] : []
      return { ...content, name, actions, note: voice.say('sign.note') }
    },
    { kind: 'signature', ...(sender === undefined ? {} : { sender }), ...options },
  )
}

/** The requester's message, and the date until when it is needed. */
function detailsOf(voice: Voice, { message, expires_at }: Request): string[] {
  return [
    ...(message ? [message] : []),
    ...(expires_at ? [voice.say('sign.until', { date: voice.instant(expires_at) })] : []),
  ]
}
