import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { refreshModule } from '../data/cached.ts'
import { createRecord } from '../data/change.ts'
import { listQuery } from '../data/list.ts'
import { moduleQuery } from '../data/modules.ts'
import { idOf, titleOf } from '../data/record.ts'
import { useSession } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { NewFormProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { Choice } from '../records/later-controls.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Question } from '../records/answers/answer-value.tsx'
import { questionsIn } from '../records/answers/answer-value.tsx'
import { FirstQuestion } from './first-question.tsx'
import { KindSign } from './kind-sign.tsx'
import { startForm } from './start-forms.ts'
import { languages, starts } from './starts.ts'
import styles from './gallery.module.css'
import form from './surveys.module.css'
import { t } from '../locales/text.ts'

/** The gallery of what a survey begins with: empty, shipped in several languages, or an own template. */
export default function NewSurvey({ onClose }: NewFormProps) {
  const navigate = useNavigate()
  const { data: module } = useSuspenseQuery(moduleQuery('surveys'))
  const { data: ours } = useQuery(
    listQuery(module, {
      filter: [{ field: 'item_type', operator: 'eq', value: 'survey_template' }],
      sort: 'name',
    }),
  )
  const key = useRef(crypto.randomUUID())
  const { user } = useSession() as { user: { language?: string | null } }
  const [typed, setTyped] = useState<string>()
  const [start, setStart] = useState('empty')
  const own = user.language?.slice(0, 2) ?? 'en'
  const [first, setFirst] = useState(languages.some(({ value }) => value === own) ? own : 'en')
  const [others, setOthers] = useState<string[]>([])
  const shipped = startForm(start, [first, ...others.filter((each) => each !== first)])
  const template = ours?.rows.find((each) => idOf(module, each) === start)
  const name = typed ?? shipped?.name ?? (template ? titleOf(module, template) : '')
  const asked: Question[] =
    shipped?.form_structure[0]?.fields ?? (template ? questionsIn(template) : [])
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!name.trim()) return
    try {
      const id = template ? await copied(idOf(module, template), name.trim()) : await created()
      await navigate({ to: addressIn({ address: '/surveys' }, id, 'edit') })
    } catch (error) {
      key.current = crypto.randomUUID()
      throw error
    }
  })
  function created(): Promise<string> {
    const { translations, ...body } = shipped ?? { form_structure: [] }
    // the names in other languages are of the one that is proposed
    const isProposed = name.trim() === shipped?.name
    const values = { ...body, ...(isProposed && translations ? { translations } : {}) }
    return createRecord(module, { ...values, name: name.trim() }, key.current)
  }
  const all = [
    { value: 'empty', label: t('Empty'), description: t('Add questions, or paste a list') },
    ...starts,
    ...(ours?.rows ?? []).map((each) => ({
      value: idOf(module, each),
      label: titleOf(module, each),
      description: t('Our own'),
    })),
  ]
  const firstOf = (value: string): Question | undefined => {
    const record = ours?.rows.find((each) => idOf(module, each) === value)
    return record ? questionsIn(record)[0] : startForm(value, [first])?.form_structure[0]?.fields[0]
  }
  return (
    <Dialog
      open
      size="wide"
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
      <div className={form.form}>
        <Field label={t('Name')} error={problem?.of('name') ?? problem?.message}>
          <TextField value={name} onChange={setTyped} maxLength={255} autoFocus />
        </Field>
        <div className={styles.gallery}>
          <Field label={t('Begin with')}>
            <RadioGroup
              value={start}
              onChange={setStart}
              options={all}
              picture={(value) => <FirstQuestion question={firstOf(value)} />}
            />
          </Field>
          {asked.length ? (
            <div className={styles.chosen}>
              <section>
                <h3>{t('Asks')}</h3>
                <ul className={styles.asks}>
                  {asked.map(({ id, type = '', label }) => (
                    <li key={id}>
                      <KindSign type={type} />
                      {label}
                    </li>
                  ))}
                </ul>
              </section>
              {shipped ? (
                <>
                  <Field label={t('Language of the questions')}>
                    <Choice
                      value={first}
                      onChange={(next) => setFirst(next ?? 'en')}
                      options={languages}
                    />
                  </Field>
                  <div role="group" aria-label={t('Also in')}>
                    <h3 aria-hidden="true">{t('Also in')}</h3>
                    <div className={styles.languages}>
                      {languages
                        .filter(({ value }) => value !== first)
                        .map(({ value, label }) => (
                          <Checkbox
                            key={value}
                            checked={others.includes(value)}
                            onChange={(isChosen) =>
                              setOthers((now) =>
                                isChosen ? [...now, value] : now.filter((each) => each !== value),
                              )
                            }
                          >
                            {label}
                          </Checkbox>
                        ))}
                    </div>
                  </div>
                </>
              ) : null}
            </div>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}

/** A survey from an own template; its id. */
async function copied(id: string, name: string): Promise<string> {
  const { data } = await api.post('/api/surveys/{id}/duplicate/', { path: { id }, body: { name } })
  await refreshModule('surveys')
  return data.survey_id
}
