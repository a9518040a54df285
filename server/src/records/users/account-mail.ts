import type { Context } from '../../kit/ground/context.ts'
import type { Letter } from '../mail/letter.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'

const unlessYou = 'If this was not you, write to an administrator of your organization at once.'

/**
 * Mails a user about their own account, beside the organization's mails of the day. Without a note
 * the mail says whom to write to when it was somebody else.
 */
export async function mailAccount(
  ctx: Context,
  { full_name, email }: { full_name: string; email: string },
  { paragraphs, note = unlessYou, ...rest }: Omit<Letter, 'note'> & { note?: string },
): Promise<void> {
  const words = await letter({ ...rest, paragraphs: [`Hello ${full_name},`, ...paragraphs], note })
  mail(ctx, { to: { name: full_name, address: email }, ...words, isAccount: true })
}
