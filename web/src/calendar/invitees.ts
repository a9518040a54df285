import { request } from '../api/request.ts'
import type { AnyRecord } from '../data/record.ts'
import { notify } from '../data/notices.ts'
import { levelOf, sessionNow } from '../data/session.ts'
import { searchPeople } from '../records/field/choices.ts'
import type { Person } from '../ui/avatar.tsx'
import { addressPrefix, contactPrefix } from './invited.ts'
import { t } from '../locales/text.ts'

/** Finds whoever may be invited: people of the organization, then contacts. */
export async function searchInvitees(q: string, signal: AbortSignal): Promise<Person[]> {
  const [users, contacts] = await Promise.all([searchPeople(q, signal), searchContacts(q, signal)])
  // one who is both is invited once
  const known = new Set(users.map(({ email }) => email?.toLowerCase()))
  return [...users, ...contacts.filter(({ email }) => !known.has(email?.toLowerCase()))]
}

async function searchContacts(q: string, signal: AbortSignal): Promise<Person[]> {
  const session = sessionNow()
  const mayRead = session && levelOf(session, 'contacts', 'read') !== 'none'
  if (!q.trim() || !mayRead) return []
  const query = { page: 1, items_per_page: 20, q, fields: 'contact_id,full_name,primary_email' }
  const { data } = await request<AnyRecord[]>('GET', '/api/contact/', { query, signal })
  return data.map((found) => ({
    id: `${contactPrefix}${String(found.contact_id)}`,
    name: String(found.full_name),
    email: (found.primary_email as string | null) ?? null,
  }))
}

/** Somebody outside, by an address; undefined where it is none, which a notice says. */
export function personAt(text: string): Person | undefined {
  const email = text.trim()
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(email)) {
    notify({ message: t('This is no e-mail address.'), detail: email })
    return undefined
  }
  return { id: `${addressPrefix}${email.toLowerCase()}`, name: email }
}
