import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { refreshModule } from '../data/cached.ts'
import { useSession } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { NewFormProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { Choice } from '../records/later-controls.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { languages, pagesOf, starts } from './starts.ts'
import styles from './surveys.module.css'

/** A new survey begins empty or with questions that are shipped, and opens where it is built. */
export default function NewSurvey({ onClose }: NewFormProps) {
  const navigate = useNavigate()
  const { user } = useSession() as { user: { language?: string | null } }
  const [name, setName] = useState('')
  const [start, setStart] = useState('empty')
  const [language, setLanguage] = useState(user.language?.slice(0, 2) ?? 'en')
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!name.trim()) return
    const { headers } = await api.post('/api/surveys/', {
      path: {},
      body: { name: name.trim(), form_structure: pagesOf(start, language) },
      idempotencyKey: crypto.randomUUID(),
    })
    await refreshModule('surveys')
    const id = headers.get('x-record-id') ?? ''
    await navigate({ to: addressIn({ address: '/surveys' }, id, 'edit') })
  })
  const all = [
    { value: 'empty', label: 'Empty', description: 'Add questions, or paste a list' },
    ...starts,
  ]
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="New survey"
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            Create survey
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label="Name" error={problem?.of('name') ?? problem?.message}>
          <TextField value={name} onChange={setName} maxLength={255} autoFocus />
        </Field>
        <fieldset className={styles.starts}>
          <legend>Begin with</legend>
          {all.map(({ value, label, description }) => (
            <label key={value}>
              <input
                type="radio"
                name="start"
                value={value}
                checked={start === value}
                onChange={() => setStart(value)}
              />
              <span>
                {label}
                <small>{description}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {start === 'empty' ? null : (
          <Field label="Language of the questions">
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
