import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import { queryClient } from '../../data/query-client.ts'
import { updatesQuery } from '../../data/template-updates.ts'
import type { Template } from '../../data/templates.ts'
import { endDraft, versionQuery, versionsQuery } from '../../data/templates.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../records/later-controls.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { differencesOf } from './differences.ts'
import type { Lines } from './lines.ts'
import { linesOf } from './lines.ts'
import { useNames } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

type Props = { template: Template; lines: Lines; onClose: () => void }

/** Publishes the draft: it asks for one line on what changed, and shows the difference. */
export function PublishDialog({
  template,
  lines,
  mayUpdate,
  onClose,
  onDone,
  onUpdate,
}: Props & { mayUpdate: boolean; onDone: () => void; onUpdate: () => void }) {
  const { template_id: id, template_name: name, published_version: version } = template
  const [note, setNote] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!note.trim()) return
    await endDraft(id, note.trim())
    const updates = mayUpdate
      ? await queryClient.fetchQuery(updatesQuery(id, version + 1)).catch(() => undefined)
      : undefined
    const older = updates ? updates.projects.length + updates.more : 0
    notify({
      message: t('Version {version} of {name} published', { version: version + 1, name }),
      ...(older
        ? {
            action: {
              label: t('Update {count} project | Update {count} projects', { count: older }),
              run: onUpdate,
            },
          }
        : {}),
    })
    onDone()
    onClose()
  })
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Publish version {version}', { version: version + 1 })}
      description={t('Projects keep the version they came from.')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!note.trim()}>
            {t('Publish version {version}', { version: version + 1 })}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('What changed')} error={problem?.of('note') ?? problem?.message}>
          <TextField value={note} onChange={setNote} maxLength={500} autoFocus />
        </Field>
        <Differences before={linesOf(template.template_config)} after={lines} />
      </div>
    </Dialog>
  )
}

/** Compares the draft, or what is published, with an earlier version. */
export function CompareDialog({ template, lines, onClose }: Props) {
  const { template_id: id, published_version: current } = template
  const { data: versions = [] } = useQuery(versionsQuery(id))
  const first = versions.find(({ number }) => number < current)?.number ?? current
  const [chosen, setChosen] = useState<number>()
  const number = chosen ?? first
  const { data } = useQuery(versionQuery(id, number))
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Compare versions')}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <div className={styles.form}>
        <Field label={t('What is shown here, against')}>
          <Choice
            value={String(number)}
            onChange={(next) => setChosen(next === null ? undefined : Number(next))}
            options={versions.map((each) => ({
              value: String(each.number),
              label: t('Version {number}', { number: each.number }),
              ...(each.note ? { description: each.note } : {}),
            }))}
          />
        </Field>
        {data ? <Differences before={linesOf(data.template_config)} after={lines} /> : null}
      </div>
    </Dialog>
  )
}

const signs = { added: '+', removed: '−', changed: '~' }
const words = { added: t('Added'), removed: t('Removed'), changed: t('Changed') }

function Differences({ before, after }: { before: Lines; after: Lines }) {
  const { forms, documents } = useNames()
  const list = differencesOf(before, after, new Map([...forms, ...documents]))
  if (!list.length) return <p>{t('Nothing is different in its lines.')}</p>
  return (
    <ul className={styles.differences} aria-label={t('Differences')}>
      {list.map(({ kind, title, what }, at) => (
        // two lines may have the same title
        <li key={at}>
          <abbr title={words[kind]}>{signs[kind]}</abbr>
          <span>
            {title} <small>{what}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}
