import type { Context } from '../../../kit/ground/context.ts'
import { letter } from '../../mail/letter.ts'
import { mail } from '../../mail/mail.ts'
import type { Recipient, SignatureRequest } from './request.ts'
import type { SignatureRole } from './states.ts'

type Person = Pick<Recipient, 'name' | 'email' | 'role' | 'token_sealed'>
type Request = Pick<SignatureRequest, 'message' | 'expires_at'>

const note =
  'You receive this mail because somebody requested your signature. The link is yours alone.'

/** Invites a recipient to sign, approve or read. */
export async function invitation(ctx: Context, to: Person, name: string, request: Request) {
  const verb = verbs[to.role]
  await post(ctx, to, {
    subject: `${ctx.organization.name} asks you to ${verb} “${name}”`,
    paragraphs: [
      `Hello ${to.name},`,
      `${ctx.actor.full_name} of ${ctx.organization.name} asks you to ${verb} “${name}”.`,
      ...(request.message ? [request.message] : []),
      ...until(request),
    ],
    label: `Open the document`,
  })
}

/** Reminds a recipient. */
export async function reminder(ctx: Context, to: Person, name: string, request: Request) {
  const verb = verbs[to.role]
  await post(ctx, to, {
    subject: `Reminder: please ${verb} “${name}”`,
    paragraphs: [
      `Hello ${to.name},`,
      `“${name}” still waits for you to ${verb} it.`,
      ...(request.message ? [request.message] : []),
      ...until(request),
    ],
    label: 'Open the document',
  })
}

/** Informs a recipient that the request was withdrawn. */
export async function withdrawal(ctx: Context, to: Person, name: string, reason: string | null) {
  await post(ctx, to, {
    subject: `“${name}” need not be signed any more`,
    paragraphs: [
      `Hello ${to.name},`,
      `${ctx.organization.name} took back the request to sign “${name}”. There is nothing to do for you.`,
      ...(reason ? [reason] : []),
    ],
  })
}

/** Informs a recipient that everybody has signed. */
export async function completion(ctx: Context, to: Person, name: string) {
  await post(ctx, to, {
    subject: `“${name}” is signed by everybody`,
    paragraphs: [`Hello ${to.name},`, `everybody has signed “${name}”.`],
    label: 'Get the signed document',
  })
}

const verbs: { [role in SignatureRole]: string } = {
  signer: 'sign',
  approver: 'approve',
  viewer: 'read',
  cc: 'read',
}

async function post(
  ctx: Context,
  { name, email, token_sealed }: Person,
  { subject, paragraphs, label }: { subject: string; paragraphs: string[]; label?: string },
) {
  const url = `${ctx.public_url}/sign/${ctx.secrets.decrypt(token_sealed)}`
  const action = label ? { label, url } : undefined
  const message = await letter({ subject, paragraphs, note, ...(action ? { action } : {}) })
  mail(ctx, { to: { name, address: email }, ...message })
}

function until({ expires_at }: Request): string[] {
  if (!expires_at) return []
  return [
    `Please do so before ${new Date(expires_at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  ]
}
