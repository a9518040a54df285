import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { refreshModule, refreshRecord } from '../../data/cached.ts'
import { notifyRefusal } from '../../data/change.ts'
import { keys } from '../../data/keys.ts'
import { notify } from '../../data/notices.ts'
import type { AnyRecord } from '../../data/record.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import type { Draft } from './draft.ts'
import { differencesOf, faultsOf, numbersOf } from './draft.ts'
import { missingWords } from './translated.ts'
import type { Edited } from './use-draft.ts'
import type { Survey } from './unpublish.ts'
import { unpublish } from './unpublish.ts'
import { draftFrom } from './use-draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  id: string
  record: AnyRecord
  draft: Draft
  edited: Edited
  onClose: () => void
  onShow: (id: string) => void
}

const signs = { added: '+', removed: '−', changed: '~' }
const words = { added: t('Added'), removed: t('Removed'), changed: t('Changed') }

/** Publishes the draft: it shows what that changes, or what is missing first. */
export function PublishDialog({ id, record, draft, edited, onClose, onShow }: Props) {
  const before = draftFrom(record)
  const faults = faultsOf(draft)
  const numbers = numbersOf(draft)
  const endings = new Map([
    ...draft.endings.map(({ id: each }, at) => [each, t('Ending {at}', { at: at + 1 })] as const),
    ['closing', t('Last ending')],
  ])
  const answers = Number(record.response_count ?? 0)
  const {
    data: open,
    error: unread,
    isSuccess: isKnown,
    refetch,
  } = useQuery({
    queryKey: [...keys.record('surveys', id), 'publication', edited.version],
    queryFn: async () => {
      const options = { path: { id }, isRead: true }
      return (await api.post('/api/surveys/{id}/publish/preview/', options)).data.tasks
    },
    staleTime: 0,
  })
  /** what was decided about tasks otherwise than proposed */
  const [decided, setDecided] = useState<{ [task: string]: boolean }>({})
  const taking = (open ?? []).filter((each) => decided[each.item_id] ?? each.takes)
  const { submit, isBusy, problem } = useSubmit(async () => {
    const tasks = taking.map(({ item_id }) => item_id)
    const { data: published } = await api.post('/api/surveys/{id}/publish/', {
      path: { id },
      body: tasks.length ? { tasks } : {},
    })
    await settle()
    edited.forget()
    notify({
      message: t('{name} published', { name: draft.texts.name }),
      undo: async () => {
        // what was changed since stays
        await edited.flush()
        await unpublish(id, record as Survey, published)
          .then(() => giveBack(id, taking))
          .catch(notifyRefusal)
        await settle()
      },
    })
    onClose()
  })
  async function settle() {
    await Promise.all([
      refreshRecord('surveys', id),
      edited.refetch(),
      taking.length ? refreshModule('tasks') : undefined,
    ])
  }
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={faults.length ? t('Before it can be published') : t('What changes')}
      description={
        answers && !faults.length
          ? t(
              '{count} answer stays with what it answered. | {count} answers stay with what they answered.',
              { count: answers },
            )
          : undefined
      }
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={isBusy}
            disabled={faults.length > 0 || !isKnown}
          >
            {t('Publish')}
          </Button>
        </>
      }
    >
      {problem ? <ProblemBanner problem={problem} /> : null}
      {missingWords(draft).map((each) => (
        <p key={each} className={styles.note}>
          {each}
        </p>
      ))}
      {faults.length ? (
        <ul className={styles.differences} aria-label={t('What is missing')}>
          {faults.map((fault, at) => (
            <li key={at}>
              <button type="button" onClick={() => onShow(fault.id)}>
                {[
                  endings.has(fault.id) ? `${endings.get(fault.id)}: ` : '',
                  numbers.has(fault.id)
                    ? `${t('Question {number}:', { number: numbers.get(fault.id) })} `
                    : '',
                  fault.message,
                ]}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <ul className={styles.differences} aria-label={t('Changes')}>
          {differencesOf(before, draft).map(({ id: each, kind, title, what }) => (
            <li key={each}>
              <abbr title={words[kind]}>{signs[kind]}</abbr>
              <span>
                {title} <small>{what}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {unread && !faults.length ? (
        <ReadFault
          small
          title={t('The tasks with this form could not be read')}
          error={unread}
          onRetry={refetch}
        />
      ) : null}
      {open?.length && !faults.length ? (
        <fieldset className={styles.tasks}>
          <legend>
            {t('{count} open task uses this form | {count} open tasks use this form', {
              count: open.length,
            })}
          </legend>
          <p className={styles.note}>
            {t('{takes} with the new questions, {keeps} unchanged', {
              takes: taking.length,
              keeps: open.length - taking.length,
            })}
          </p>
          {open.map((task) => (
            <Checkbox
              key={task.item_id}
              checked={taking.includes(task)}
              disabled={task.why === 'forbidden'}
              onChange={(takes) => setDecided({ ...decided, [task.item_id]: takes })}
              hint={whyWords(task)}
            >
              {task.title}
            </Checkbox>
          ))}
        </fieldset>
      ) : null}
    </Dialog>
  )
}

type FormTask = components['schemas']['FormTask']

/** Why a task keeps its questions unless it is told otherwise. */
function whyWords({ why, answer_count: count }: FormTask): string | undefined {
  if (why === 'forbidden') return t('You may not change this task')
  return why === 'answered'
    ? t('Has {count} answer, which stays | Has {count} answers, which stay', { count })
    : undefined
}

/** Gives tasks the questions that they had. */
async function giveBack(id: string, before: FormTask[]): Promise<void> {
  const tasks = before.flatMap(({ item_id, version }) => (version ? [{ item_id, version }] : []))
  if (tasks.length) await api.put('/api/surveys/{id}/tasks/', { path: { id }, body: { tasks } })
}
