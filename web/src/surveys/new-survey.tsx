import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { createRecord } from '../data/change.ts'
import { moduleQuery } from '../data/modules.ts'
import { useSession } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { NewFormProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { Choice } from '../records/later-controls.ts'
import { later } from '../records/later.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { languages, starts } from './starts.ts'
import styles from './surveys.module.css'
import { t } from '../locales/text.ts'

const RadioGroup = later(async () => ({ default: (await import('../ui/radio.tsx')).RadioGroup }))

/** A new survey begins empty or with questions that are shipped, and opens where it is built. */
export default function NewSurvey({ onClose }: NewFormProps) {
  const navigate = useNavigate()
  const { data: module } = useSuspenseQuery(moduleQuery('surveys'))
  const key = useRef(crypto.randomUUID())
  const { user } = useSession() as { user: { language?: string | null } }
  const [name, setName] = useState('')
  const [start, setStart] = useState('empty')
  const [language, setLanguage] = useState(user.language?.slice(0, 2) ?? 'en')
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!name.trim()) return
    try {
      const { formPages } = await import('./start-forms.ts')
      const form_structure = formPages(start, language) ?? []
      const values = { name: name.trim(), form_structure }
      const id = await createRecord(module, values, key.current)
      await navigate({ to: addressIn({ address: '/surveys' }, id, 'edit') })
    } catch (error) {
      key.current = crypto.randomUUID()
      throw error
    }
  })
  const all = [
    { value: 'empty', label: t('Empty'), description: t('Add questions, or paste a list') },
    ...starts,
  ]
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('New survey')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            {t('Create survey')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Name')} error={problem?.of('name') ?? problem?.message}>
          <TextField value={name} onChange={setName} maxLength={255} autoFocus />
        </Field>
        <Field label={t('Begin with')}>
          <RadioGroup value={start} onChange={setStart} options={all} />
        </Field>
        {start === 'empty' ? null : (
          <Field label={t('Language of the questions')}>
            <Choice
              value={language}
              onChange={(next) => setLanguage(next ?? 'en')}
              options={languages}
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
