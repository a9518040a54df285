import type { Context } from '../../kit/ground/context.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Mail } from '../mail/mail.ts'
import type { Letter } from '../mail/letter.ts'
import { post } from '../mail/post.ts'
import { known } from '../mail/readers.ts'

/**
 * Mails somebody about their own account, in their language and in the organization's name. Such mails
 * wait neither for the organization's quota nor for other mails.
 */
export async function mailAccount(
  ctx: Context,
  { full_name: name, email: address }: { full_name: string; email: string },
  compose: (
    voice: Voice,
    organization: string,
  ) => Omit<Letter, 'name' | 'note'> & Partial<Pick<Letter, 'note'>>,
  enclosed: Pick<Mail, 'needed'> = {},
): Promise<void> {
  const [reader = { address }] = await known(ctx, [{ name, address }])
  await post(
    ctx,
    reader,
    (voice, { name: organization }) => ({
      note: voice.say('mail.not_you'),
      ...compose(voice, organization),
      name,
    }),
    { kind: 'account', sender: null, ...enclosed },
  )
}
