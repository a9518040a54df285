import { badRequest } from '../../kit/ground/errors.ts'

/** The future owner of a password, whose names must not be part of it. */
export type Owner = { email: string; full_name: string; organization: string }

/** Characters that may follow a name without making it another word, as in `larkspur2026!`. */
const mostAppended = 4

let common: Promise<Set<string>> | undefined

/**
 * 400 `common_password`, naming `field`, for one of the 49,000 most common passwords (in any case), and
 * for the owner's own name, e-mail or organization with at most four characters after it.
 */
export async function checkPassword(
  password: string,
  owner: Owner,
  field = 'password',
): Promise<void> {
  common ??= loadCommon()
  const folded = password.trim().toLowerCase()
  if ((await common).has(folded)) throw refused(field, 'it is among the most common ones')
  const bare = lettersOf(folded)
  const [mailbox = ''] = owner.email.split('@')
  const { email, full_name, organization } = owner
  for (const name of [email, mailbox, full_name, organization].map(lettersOf)) {
    const isNear = name !== '' && bare.startsWith(name) && bare.length - name.length <= mostAppended
    if (isNear) throw refused(field, 'it is your name, e-mail or organization')
  }
}

/** The list of zxcvbn (MIT), most common first; decompressed when the first password is set. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function refused(field: string, why: string) {
  const errors = [{ field, message: `must be another one: ${why}` }]
  return badRequest(`Choose another password: ${why}`, errors, 'common_password')
}
