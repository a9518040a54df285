import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { refreshRecord } from '../data/cached.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { idOf } from '../data/record.ts'
import { useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { Strip } from '../records/page/strip.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { t } from '../locales/text.ts'

/** The figures of a survey, which is published, shared and closed here. */
export default function SurveyHead({ module, record }: SectionProps) {
  const mayUpdate = useMayOf('surveys', record, 'update')
  return (
    <Strip module={module} record={record}>
      {mayUpdate ? <Actions id={idOf(module, record)} status={String(record.status)} /> : null}
    </Strip>
  )
}

function Actions({ id, status }: { id: string; status: string }) {
  const [isBusy, setBusy] = useState(false)
  const run = (work: () => Promise<unknown>) => {
    setBusy(true)
    void work()
      .catch(notifyRefusal)
      .finally(() => setBusy(false))
  }
  const edit = (
    <ButtonLink
      variant="quiet"
      icon="pencil"
      render={<Link to={addressIn({ address: '/surveys' }, id, 'edit')} />}
    >
      {t('Edit survey')}
    </ButtonLink>
  )
  if (status !== 'published')
    return (
      <span style={{ display: 'flex', flexWrap: 'wrap' }}>
        {edit}
        {status === 'closed' ? (
          <Button disabled={isBusy} onClick={() => run(() => reopen(id))}>
            {t('Reopen survey')}
          </Button>
        ) : (
          <Button disabled={isBusy} onClick={() => run(() => publish(id))}>
            {t('Publish')}
          </Button>
        )}
      </span>
    )
  return (
    <span style={{ display: 'flex', flexWrap: 'wrap' }}>
      {edit}
      <Button icon="link" disabled={isBusy} onClick={() => run(() => copyLink(id))}>
        {t('Copy survey link')}
      </Button>
      <Button variant="quiet" disabled={isBusy} onClick={() => run(() => close(id))}>
        {t('Close survey')}
      </Button>
    </span>
  )
}

async function publish(id: string): Promise<void> {
  await api.post('/api/surveys/{id}/publish/', { path: { id } })
  await refreshRecord('surveys', id)
  notify({ message: t('Published: whoever has its link can answer') })
}

async function close(id: string): Promise<void> {
  await api.post('/api/surveys/{id}/close/', { path: { id } })
  await refreshRecord('surveys', id)
  notify({
    message: t('Closed: it takes no more answers'),
    undo: () => reopen(id).catch(notifyRefusal),
  })
}

/** Takes answers again, with the questions that it had; what is drafted stays a draft. */
async function reopen(id: string): Promise<void> {
  await api.put('/api/surveys/{id}/', { path: { id }, body: { status: 'published' } })
  await refreshRecord('surveys', id)
  notify({ message: t('Reopened: whoever has its link can answer') })
}

/** Copies the address at which anyone may answer. */
async function copyLink(id: string): Promise<void> {
  const { data } = await api.post('/api/surveys/{id}/link/', { path: { id }, body: {} })
  await navigator.clipboard.writeText(data.url)
  notify({ message: t('Link to the survey copied') })
}
