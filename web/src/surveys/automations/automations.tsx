import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import { idOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import type { SectionProps } from '../../records/definition.ts'
import { nameQuery, personById } from '../../records/field/name-of.tsx'
import { later } from '../../records/later.tsx'
import { Menu } from '../../records/later-controls.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { questionsIn } from '../../records/answers/answer-value.tsx'
import type { Question } from '../../records/answers/answer-value.tsx'
import type { Automation } from './rule.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { conditionFields, peopleIn, ruleOf, sentenceOf } from './rule.ts'
import { Runs } from './runs.tsx'
import { keyOf, unsaved } from './unsaved.ts'
import { automationsQuery, optionsQuery, refreshAutomations } from './use-automations.ts'
import results from '../results.module.css'
import styles from '../share/share.module.css'
import { t } from '../../locales/text.ts'

const Editor = later(() => import('./editor.tsx'))

/** What follows by itself when somebody answers: each automation as a sentence, and what they have done. */
export default function Automations({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const mayChange = useMayOf('surveys', record, 'update')
  const list = useQuery(automationsQuery(id))
  const options = useQuery(optionsQuery(id))
  const [isNew, setNew] = useState(() => unsaved.of(keyOf(id, undefined)) !== undefined)
  const questions = questionsIn(record)
  const session = useSession()
  const accounts = useQuery({
    ...moduleQuery('accounts'),
    enabled: levelOf(session, 'accounts', 'read') !== 'none',
  })
  const segments = accounts.data && fieldOf(accounts.data, 'segment')?.options
  const { error } = list.error ? list : options
  if (error && !(list.data && options.data)) {
    return (
      <ReadFault
        small
        title={t('The automations could not be read')}
        error={error}
        onRetry={() => refreshAutomations(id)}
      />
    )
  }
  if (!list.data || !options.data) return <SkeletonRows count={3} />
  const shared = {
    survey: id,
    questions,
    fields: conditionFields(options.data.conditions, questions, segments),
  }
  const all = list.data
  return (
    <div className={results.results}>
      <div className={results.pair}>
        <p className={styles.quiet}>
          {mayChange
            ? t(
                'They run as soon as an answer is finished, with the rights of whoever wrote them last.',
              )
            : t('You can read these automations, and not change them.')}
        </p>
        {mayChange && !isNew ? (
          <Button variant="primary" icon="plus" onClick={() => setNew(true)}>
            {t('New automation')}
          </Button>
        ) : null}
      </div>
      {isNew ? <Editor {...shared} automation={null} onClose={() => setNew(false)} /> : null}
      {all.length ? (
        <ul className={styles.form} aria-label={t('Automations')}>
          {all.map((each, at) => (
            <li
              key={each.automation_id}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
                // in a form these keys open choices
                const isInForm = (event.target as Element).closest('form')
                if (!event.altKey || !by || !mayChange || isInForm) return
                event.preventDefault()
                void move(id, all, at, at + by).catch(notifyRefusal)
              }}
            >
              <One
                {...shared}
                automation={each}
                mayChange={mayChange}
                moves={movesOf(all.length, at, (to) => {
                  void move(id, all, at, to).catch(notifyRefusal)
                })}
              />
            </li>
          ))}
        </ul>
      ) : isNew ? null : (
        <Empty small icon="zap" title={t('No automations yet')}>
          {t('Create a task, notify somebody or send a mail when an answer needs it.')}
        </Empty>
      )}
      {all.length ? <Runs survey={id} automations={all} questions={questions} /> : null}
    </div>
  )
}

type OneProps = {
  survey: string
  questions: Question[]
  fields: ReturnType<typeof conditionFields>
  automation: Automation
  mayChange: boolean
  moves: MenuItem[]
}

function One({ automation, mayChange, moves, ...shared }: OneProps) {
  const { survey, fields } = shared
  const { name, is_active, automation_id } = automation
  const [isEdited, setEdited] = useState(() => unsaved.of(automation_id) !== undefined)
  const rule = ruleOf(automation)
  const people = peopleIn(rule)
  const found = useQueries({
    queries: people.map((user) => nameQuery(personById(user).path, user)),
  })
  const nameOf = (user: string) => {
    const known = found[people.indexOf(user)]
    const full = known?.data?.full_name
    return typeof full === 'string' ? full : known?.isError ? t('Unavailable') : '…'
  }
  if (isEdited) {
    return <Editor {...shared} automation={automation} onClose={() => setEdited(false)} />
  }
  const path = { automation_id }
  const turn = async (next: boolean) => {
    await api.put('/api/surveys/automations/{automation_id}/', {
      path,
      body: { is_active: next },
    })
    await refreshAutomations(survey)
    announce(next ? t('{name} is on', { name }) : t('{name} is off', { name }))
  }
  const remove = async () => {
    await api.delete('/api/surveys/automations/{automation_id}/', { path })
    await refreshAutomations(survey)
    notify({
      message: t('{name} deleted', { name }),
      undo: () => bringBack(survey, automation).catch(notifyRefusal),
    })
  }
  return (
    <article aria-label={name}>
      <Card
        as="h3"
        title={
          <>
            {name}
            {is_active ? null : <small> {t('off')}</small>}
          </>
        }
        actions={
          mayChange ? (
            <>
              <Switch
                label={t('{name}, on', { name })}
                checked={is_active}
                onChange={(next) => void turn(next).catch(notifyRefusal)}
              />
              <Button size="small" variant="quiet" icon="pencil" onClick={() => setEdited(true)}>
                {t('Edit')}
              </Button>
              <Menu
                align="end"
                label={t('Actions for {name}', { name })}
                trigger={
                  <IconButton size="small" icon="more" label={t('Actions for {name}', { name })} />
                }
                items={[
                  ...moves,
                  {
                    label: t('Delete'),
                    icon: 'trash',
                    danger: true,
                    onSelect: () => void remove().catch(notifyRefusal),
                  },
                ]}
              />
            </>
          ) : null
        }
      >
        {sentenceOf(rule, fields, nameOf)}
      </Card>
    </article>
  )
}

function movesOf(count: number, at: number, onMove: (to: number) => void): MenuItem[] {
  const up: MenuItem = {
    label: t('Move up'),
    icon: 'arrow-up',
    shortcut: 'Alt+ArrowUp',
    onSelect: () => onMove(at - 1),
  }
  const down: MenuItem = {
    label: t('Move down'),
    icon: 'arrow-down',
    shortcut: 'Alt+ArrowDown',
    onSelect: () => onMove(at + 1),
  }
  return [...(at > 0 ? [up] : []), ...(at < count - 1 ? [down] : [])]
}

/** Stores the order with one at another place. */
async function move(survey: string, all: Automation[], from: number, to: number): Promise<void> {
  const one = all[from]
  if (!one || to < 0 || to >= all.length) return
  const order = all.toSpliced(from, 1).toSpliced(to, 0, one)
  const automations = order.flatMap(({ automation_id, position }, at) =>
    position === at ? [] : { automation_id, position: at },
  )
  await api.post('/api/surveys/{id}/automations_save/', {
    path: { id: survey },
    body: { automations },
  })
  await refreshAutomations(survey)
  announce(t('{name}, {to} of {count}', { name: one.name, to: to + 1, count: all.length }))
}

/** Makes a deleted automation anew, where it stood. */
async function bringBack(survey: string, automation: Automation): Promise<void> {
  const { name, is_active, position, trigger, conditions, actions } = automation
  await api.post('/api/surveys/{id}/automations_save/', {
    path: { id: survey },
    body: { name, is_active, position, trigger, conditions, actions },
    idempotencyKey: crypto.randomUUID(),
  })
  await refreshAutomations(survey)
}
