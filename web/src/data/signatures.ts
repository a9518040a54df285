import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshRecord } from './cached.ts'
import { keys } from './keys.ts'
import type { AnyRecord } from './record.ts'
import { t } from '../locales/text.ts'

/** Somebody who signs, approves or receives a document. */
export type Recipient = components['schemas']['SignatureRecipient']
/** A step of the signatures of a document. */
export type AuditEntry = components['schemas']['SignatureAuditEntry']

/** What a recipient does, by the role. */
export const roleVerbs: { [role in Recipient['role']]: string } = {
  signer: t('signs'),
  approver: t('approves'),
  viewer: t('reads'),
  cc: t('gets a copy'),
}

/** The recipients of a document's request, in the order in which they were named. */
export function recipientsOf({ signature_recipients: all }: AnyRecord): Recipient[] {
  return Array.isArray(all) ? (all as Recipient[]) : []
}

/** Whether a document is incomplete without this recipient. */
export function mustAct({ role }: Pick<Recipient, 'role'>): boolean {
  return role === 'signer' || role === 'approver'
}

/** Whether a recipient has signed or approved. */
export function hasActed({ status }: Recipient): boolean {
  return status === 'signed' || status === 'approved'
}

/** Those who were invited and have not signed, approved or declined yet. */
export function waitedFor(recipients: Recipient[]): Recipient[] {
  return recipients.filter(
    (each) => mustAct(each) && (each.status === 'sent' || each.status === 'viewed'),
  )
}

/** Everything that happened to a document's signatures, in all its versions, oldest first. */
export function auditQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'audit'],
    queryFn: async ({ signal }) => {
      const path = { id }
      return (await api.get('/api/documents/{id}/signature/audit/', { path, signal })).data.entries
    },
  })
}

/** What the signatures in the file of a document prove. */
export function sealQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'seal'],
    queryFn: async ({ signal }) => {
      const path = { id }
      return (await api.get('/api/documents/{id}/signature/verify/', { path, signal })).data
    },
    staleTime: Infinity,
  })
}

/** The latest version of a document; an earlier one leads to it. */
export function latestQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'latest'],
    queryFn: async ({ signal }) => {
      const path = { id }
      const { data } = await api.get('/api/documents/{id}/versions/', { path, signal })
      return data.find((each) => each.latest_version) ?? null
    },
  })
}

/** Mails everybody whose signature is waited for again. */
export async function remindSigners(id: string): Promise<void> {
  await api.post('/api/documents/{id}/signature/remind/', { path: { id } })
  await refreshRecord('documents', id)
}

/** Mails one of them again; refused within four hours of their last reminder. */
export async function remindRecipient(id: string, recipient_id: string): Promise<void> {
  const path = { id, recipient_id }
  await api.post('/api/documents/{id}/signature/recipients/{recipient_id}/remind/', { path })
  await refreshRecord('documents', id)
}

const pause = 4 * 3_600_000

/** When somebody may be reminded again; null if it is now. */
export function nextReminder({ reminded_at }: Recipient, now = Date.now()): number | null {
  const until = reminded_at ? Date.parse(reminded_at) + pause : 0
  return until > now ? until : null
}

/** Corrects the name and address of a recipient: the old link ends, and whoever was invited gets a new one. */
export async function correctRecipient(
  id: string,
  recipient_id: string,
  body: { name: string; email: string },
): Promise<void> {
  const path = { id, recipient_id }
  await api.patch('/api/documents/{id}/signature/recipients/{recipient_id}/', { path, body })
  await refreshRecord('documents', id)
}

/** Withdraws the request: its links stop working, and recipients read the reason. */
export async function withdrawRequest(id: string, reason: string): Promise<void> {
  const body = { reason: reason.trim() || null }
  await api.post('/api/documents/{id}/signature/void/', { path: { id }, body })
  await refreshRecord('documents', id)
}

/** The address of the page as somebody who is prepared would see it, for half an hour. */
export async function signingPreview(id: string, recipient: string): Promise<string> {
  const path = '/api/documents/{id}/signature/preview/'
  const { data } = await api.post(path, { path: { id }, body: { recipient } })
  // of this page's own service, by whatever address it is reached
  return new URL(data.url).pathname
}
