import type { Context } from '../../kit/ground/context.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'

type Person = { name: string; email: string; role: string; token_sealed: Buffer }
type Asked = { message: string | null; expires_at: string | null }

const note = 'You get this mail because somebody asked for your signature. The link is yours alone.'

/** The mail that asks somebody to sign, approve or read. */
export async function invitation(ctx: Context, to: Person, name: string, asked: Asked) {
  const verb = verbs[to.role] ?? 'read'
  await post(ctx, to, {
    subject: `${ctx.organization.name} asks you to ${verb} “${name}”`,
    paragraphs: [
      `Hello ${to.name},`,
      `${ctx.actor.full_name} of ${ctx.organization.name} asks you to ${verb} “${name}”.`,
      ...(asked.message ? [asked.message] : []),
      ...until(asked),
    ],
    label: `Open the document`,
  })
}

/** The mail that asks once more. */
export async function reminder(ctx: Context, to: Person, name: string, asked: Asked) {
  const verb = verbs[to.role] ?? 'read'
  await post(ctx, to, {
    subject: `Reminder: please ${verb} “${name}”`,
    paragraphs: [
      `Hello ${to.name},`,
      `“${name}” still waits for you to ${verb} it.`,
      ...(asked.message ? [asked.message] : []),
      ...until(asked),
    ],
    label: 'Open the document',
  })
}

/** The mail that says that a link is of no use any more. */
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

/** The mail that everybody gets when all have signed. */
export async function completion(ctx: Context, to: Person, name: string) {
  await post(ctx, to, {
    subject: `“${name}” is signed by everybody`,
    paragraphs: [`Hello ${to.name},`, `everybody has signed “${name}”.`],
    label: 'Get the signed document',
  })
}

const verbs: { [role: string]: string } = { signer: 'sign', approver: 'approve' }

async function post(
  ctx: Context,
  { name, email, token_sealed }: Person,
  { subject, paragraphs, label }: { subject: string; paragraphs: string[]; label?: string },
) {
  const url = `${ctx.public_url}/sign/${ctx.secrets.decrypt(token_sealed)}`
  const action = label ? { label, url } : undefined
  const written = await letter({ subject, paragraphs, note, ...(action ? { action } : {}) })
  mail(ctx, { to: { name, address: email }, ...written })
}

function until({ expires_at }: Asked): string[] {
  if (!expires_at) return []
  return [
    `Please do so before ${new Date(expires_at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
  ]
}
