import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Answers, Page } from '../../../../server/src/model/forms/form-parts.ts'
import { partsOf, pipedValue } from '../../../../server/src/model/forms/piping.ts'
import { answersAsked, isVisible } from '../../../../server/src/model/forms/rules.ts'
import { inLanguage } from '../../../../server/src/model/forms/translations.ts'
import { changeRecord, notifyRefusal } from '../../data/change.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, recordQuery, titleOf } from '../../data/record.ts'
import { useMay, useMayOf } from '../../data/session.ts'
import { AnswerValue } from '../../records/answers/answer-value.tsx'
import type { SectionProps } from '../../records/definition.ts'
import { clock } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { isAnswered, lackingIn, questionsAsked, wrongWords } from './lacking.ts'
import { Question } from './question.tsx'
import { useForm } from './use-form.ts'
import styles from './form.module.css'
import { language, t } from '../../locales/text.ts'

/** The form of a task: filled in here, each answer stored by itself; read once the task is completed. */
export default function TaskForm(props: SectionProps) {
  return <Form key={idOf(props.module, props.record)} {...props} />
}

function Form({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const mayUpdate = useMayOf('tasks', record, 'update')
  const isDone = record.is_completed === true
  const [isEditing, setEditing] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const form = useForm(module, record)
  const { pages } = inLanguage(
    { pages: ((record.form_structure as { pages?: Page[] }).pages ?? []) as Page[] },
    language as 'en',
  )
  // what others hide is none, also for what depends on it
  const answers = answersAsked(pages, form.answers)
  const all = questionsAsked(pages, answers)
  const done = all.filter((field) => isAnswered(field, answers)).length
  const lacking = lackingIn(pages, answers)
  const errorOf = (question: string) => {
    const field = all.find((each) => each.id === question)
    const refusal = form.wrong[question]
    if (field && refusal) return wrongWords(field, form.answers[question]) ?? refusal
    return isChecked ? lacking.get(question) : undefined
  }
  const complete = async () => {
    setBusy(true)
    try {
      const unsaved = await form.flush()
      setChecked(true)
      // an answer may have been refused since this was drawn
      const first = all.find(({ id: each }) => lacking.has(each) || form.isRefused(each))
      if (first) {
        const box = root.current?.querySelector(`[data-question="${CSS.escape(first.id)}"]`)
        box?.querySelector<HTMLElement>('input, textarea, select, button, [role=radio]')?.focus()
        return
      }
      if (unsaved) return notifyRefusal(unsaved)
      const message = t('{title} completed', { title: titleOf(module, record) })
      await changeRecord(module, id, { is_completed: true }, { message })
      setEditing(false)
    } catch (error) {
      notifyRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  const count = all.length
  const progress = t('{done} of {count} answered', { done, count })
  const isOpen = mayUpdate && (!isDone || isEditing)
  return (
    <div ref={root} className={styles.form}>
      <div className={styles.head}>
        <Progress value={done} max={count} label={t('Answered questions')} text={progress} />
        {isOpen ? <Saved form={form} /> : null}
      </div>
      {isOpen ? <Newer {...{ module, record }} /> : null}
      {pages.map((page, at) =>
        isVisible(page, answers) && page.fields.some((field) => isVisible(field, answers)) ? (
          <section key={page.id ?? at} className={styles.page}>
            {page.title ? <h3>{words(pages, answers, page.title)}</h3> : null}
            {page.fields
              .filter((field) => isVisible(field, answers))
              .map((field) => {
                const label = words(pages, answers, field.label)
                const help = field.description ? words(pages, answers, field.description) : ''
                return isOpen ? (
                  <div key={field.id} data-question={field.id}>
                    <Question
                      task={id}
                      field={{ ...field, label, description: help }}
                      value={
                        field.type === 'calculated' ? answers[field.id] : form.answers[field.id]
                      }
                      error={errorOf(field.id)}
                      onChange={(next) =>
                        form.change(
                          (now) => ({ ...now, [field.id]: next(now[field.id]) }),
                          field.id,
                        )
                      }
                      onBlur={() => void form.flush()}
                    />
                  </div>
                ) : field.type === 'statement' ? null : (
                  <dl key={field.id} className={styles.answer}>
                    <dt>{label}</dt>
                    <dd>
                      {isAnswered(field, answers) ? (
                        <AnswerValue question={field} value={answers[field.id]} />
                      ) : (
                        <small>{t('No answer')}</small>
                      )}
                    </dd>
                  </dl>
                )
              })}
          </section>
        ) : null,
      )}
      {isOpen && !isDone ? (
        <div className={styles.acts}>
          <Button
            variant="primary"
            busy={isBusy}
            // an answer is left by the click, so that no word about it moves the button from under the pointer
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.currentTarget.focus()
              void complete()
            }}
          >
            {t('Complete task')}
          </Button>
          {isChecked && lacking.size ? (
            <span role="status">
              {t('{count} answer is missing | {count} answers are missing', {
                count: lacking.size,
              })}
            </span>
          ) : null}
        </div>
      ) : mayUpdate && isDone ? (
        <div className={styles.acts}>
          <Button onClick={() => setEditing(!isEditing)}>
            {isEditing ? t('Done') : t('Change answers')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** A text with what goes into it. */
function words(pages: Page[], answers: Answers, text: string): string {
  const fields = pages.flatMap((page) => page.fields)
  return partsOf(text)
    .map((part) =>
      typeof part === 'string'
        ? part
        : pipedValue(part.name, { fields, answers, known: {} }) || part.instead,
    )
    .join('')
}

/** Whether the answers are saved, and why they are not. */
function Saved({
  form: { saving, savedAt, problem, retry },
}: {
  form: ReturnType<typeof useForm>
}) {
  const format = useFormat()
  const said = {
    saved: savedAt ? t('Saved {clock}', { clock: clock(savedAt, format) }) : '',
    waiting: t('Saving'),
    saving: t('Saving'),
    offline: t('Not saved, offline'),
    refused: t('Not saved: {message}', { message: problem?.message ?? '' }),
  }[saving]
  return (
    <span className={styles.saved} data-kind={saving} role="status">
      {said}
      {saving === 'refused' ? (
        <Button size="small" onClick={retry}>
          {t('Try again')}
        </Button>
      ) : null}
    </span>
  )
}

/** Says that the form has other questions by now, which the task can take. */
function Newer({ module, record }: Pick<SectionProps, 'module' | 'record'>) {
  const mayRead = useMay('surveys', 'read')
  const id = String(
    (record.form_id as { survey_id?: string } | null)?.survey_id ?? record.form_id ?? '',
  )
  const { data } = useQuery({
    ...recordQuery({ module: 'surveys', path: '/api/surveys/' }, id),
    enabled: mayRead && id !== '',
    retry: false,
  })
  const mine = record.form_structure as { pages?: Page[]; endings?: unknown }
  const newest = (data as AnyRecord | undefined)?.form_structure as typeof mine | undefined
  // what was published and taken back has another number and the same questions
  if (!newest || JSON.stringify(newest.pages) === JSON.stringify(mine.pages)) return null
  const task = idOf(module, record)
  const message = t('The task has the new questions')
  const take = () => {
    const { endings: _, ...questions } = newest
    return changeRecord(module, task, { form_structure: questions }, { message })
  }
  return (
    <Banner
      boxed
      actions={
        <Button size="small" onClick={() => void take().catch(notifyRefusal)}>
          {t('Take the new questions')}
        </Button>
      }
    >
      {t('The form has other questions by now. Answers to those that stay are kept.')}
    </Banner>
  )
}
