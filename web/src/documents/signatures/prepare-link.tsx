import { Link } from '@tanstack/react-router'
import type { AnyRecord } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { t } from '../../locales/text.ts'

/** Leads to where a document is prepared for signature, if it may be. */
export function PrepareLink({ id, record }: { id: string; record: AnyRecord }) {
  if (!useMayPrepare(record)) return null
  return (
    <ButtonLink
      variant={record.is_reusable === true ? 'secondary' : 'primary'}
      icon="pencil"
      render={<Link to="/documents/$id/signatures/prepare" params={{ id }} />}
    >
      {record.is_reusable === true ? t('Roles and fields') : t('Prepare for signature')}
    </ButtonLink>
  )
}

/** Whether a document may be sent for signature: its latest version, once. */
export function useMayPrepare(record: AnyRecord): boolean {
  const mayUpdate = useMayOf('documents', record, 'update')
  return mayUpdate && record.signature_status === 'none' && record.latest_version !== false
}
