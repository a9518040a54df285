import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { idOf } from '../data/record.ts'
import type { SaveBody } from '../data/templates.ts'
import { saveAsTemplate, saveAsTemplateQuery } from '../data/templates.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { ActProps } from '../records/definition.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { TextField } from '../ui/text-field.tsx'
import { usePaused } from '../ui/use-paused.ts'
import { roleLabel } from './outline.ts'
import styles from './templates.module.css'
import { t } from '../locales/text.ts'

/** Saves a project as a template: what is kept, and which names of the customer are replaced, is said before. */
export default function SaveTemplate({ module, record, onClose }: ActProps) {
  const id = idOf(module, record)
  const navigate = useNavigate()
  const [name, setName] = useState<string>()
  const [durations, setDurations] = useState<'planned' | 'actual'>('planned')
  const [hasRoles, setRoles] = useState(true)
  const [hasLinks, setLinks] = useState(true)
  const [hasForms, setForms] = useState(true)
  const [hasEstimates, setEstimates] = useState(true)
  const [hasDescriptions, setDescriptions] = useState(false)
  const [kept, setKept] = useState<string[]>([])
  const options: SaveBody = {
    durations,
    people: hasRoles ? 'roles' : 'none',
    dependencies: hasLinks,
    forms: hasForms,
    estimates: hasEstimates,
    descriptions: hasDescriptions,
  }
  // all that are found, whichever of them stay
  const { data: found } = useQuery(saveAsTemplateQuery(id, options))
  const body: SaveBody = {
    ...options,
    ...(kept.length ? { keep_names: kept } : {}),
    ...(name?.trim() ? { template_name: name.trim() } : {}),
  }
  const typed = JSON.stringify(body)
  const isPaused = usePaused(typed, 200) === typed
  const { data, error } = useQuery({ ...saveAsTemplateQuery(id, body), enabled: isPaused })
  const { submit, isBusy, problem } = useSubmit(async () => {
    await saveAsTemplate(
      id,
      body,
      () => void navigate({ to: '/templates', search: { show: 'ours' } }),
    )
    onClose()
  })
  const refusal = problem ?? (error ? asProblem(error) : undefined)
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Save as template')}
      description={t('Comments, files, dates and times stay with the project.')}
      onSubmit={submit}
      footer={
        <>
          <p className={styles.total} role="status">
            {data
              ? [
                  t('{count} milestone | {count} milestones', { count: data.milestones }),
                  t('{count} task | {count} tasks', { count: data.tasks }),
                  t('{count} working day | {count} working days', { count: data.working_days }),
                ].join(', ')
              : ''}
          </p>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!data}>
            {t('Save template')}
          </Button>
        </>
      }
    >
      {refusal ? (
        <p role="alert" className={styles.refusal}>
          {refusal.message}
        </p>
      ) : null}
      <Field label={t('Name')}>
        <TextField value={name ?? data?.template_name ?? ''} onChange={setName} />
      </Field>
      <SegmentedControl
        label={t('Durations')}
        value={durations}
        onChange={setDurations}
        options={[
          { value: 'planned', label: t('As planned') },
          { value: 'actual', label: t('As they really were') },
        ]}
      />
      <fieldset className={styles.ticks}>
        <legend>{t('What it keeps')}</legend>
        <Checkbox
          checked={hasRoles}
          onChange={setRoles}
          hint={
            data?.roles.map(({ role }) => roleLabel(role)).join(', ') || t('Tasks have no owner')
          }
        >
          {t('Roles instead of people')}
        </Checkbox>
        <Checkbox
          checked={hasLinks}
          onChange={setLinks}
          hint={
            data
              ? t('{count} dependency | {count} dependencies', {
                  count: data.dependencies,
                })
              : undefined
          }
        >
          {t('Dependencies')}
        </Checkbox>
        <Checkbox checked={hasForms} onChange={setForms} hint={t('What tasks ask for')}>
          {t('Forms')}
        </Checkbox>
        <Checkbox
          checked={hasEstimates}
          onChange={setEstimates}
          hint={t('How long tasks are to take')}
        >
          {t('Estimates')}
        </Checkbox>
        <Checkbox
          checked={hasDescriptions}
          onChange={setDescriptions}
          hint={t('They may name people')}
        >
          {t('Descriptions')}
        </Checkbox>
      </fieldset>
      {found?.names.length ? (
        <fieldset className={styles.ticks}>
          <legend>{t('Replaced by “the customer”')}</legend>
          {found.names.map(({ name: word, titles }) => (
            <Checkbox
              key={word}
              checked={!kept.includes(word)}
              onChange={(isReplaced) =>
                setKept(isReplaced ? kept.filter((each) => each !== word) : [...kept, word])
              }
              hint={t('In {count} text | In {count} texts', { count: titles })}
            >
              {word}
            </Checkbox>
          ))}
        </fieldset>
      ) : null}
    </Dialog>
  )
}
