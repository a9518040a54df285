import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { refreshRecord } from '../data/cached.ts'
import { changeRecord, createRecord, notifyRefusal } from '../data/change.ts'
import type { Module } from '../data/modules.ts'
import { fieldOf } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { idOf } from '../data/record.ts'
import { useMay, useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { shortDay } from '../records/field/format.ts'
import { isEmpty } from '../records/field/show.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { FactValue } from '../records/page/fact.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './task-now.module.css'
import { t } from '../locales/text.ts'

type SubItem = { item_id: string; title: string; is_completed: boolean; due_date: string | null }

/** What a task is about, and its subtasks, which are ticked and added here. */
export default function TaskNow({ module, record }: SectionProps) {
  const mayUpdate = useMayOf('tasks', record, 'update')
  const mayCreate = useMay('tasks', 'create')
  const description = fieldOf(module, 'description')
  const subtasks = (record.sub_items as SubItem[] | null) ?? []
  const hasWords = description && (mayUpdate || !isEmpty(record.description))
  if (!hasWords && !subtasks.length && !mayCreate) return null
  return (
    <div className={styles.now}>
      {hasWords ? (
        <section aria-label={t('Description')} className={styles.description}>
          <FactValue {...{ module, record, field: description }} />
        </section>
      ) : null}
      {subtasks.length || mayCreate ? (
        <section aria-label={t('Subtasks')}>
          {subtasks.length ? (
            <ul className={styles.list}>
              {subtasks.map((each) => (
                <Subtask
                  key={each.item_id}
                  module={module}
                  parent={idOf(module, record)}
                  subtask={each}
                />
              ))}
            </ul>
          ) : null}
          {mayCreate ? <NewSubtask key={idOf(module, record)} {...{ module, record }} /> : null}
        </section>
      ) : null}
    </div>
  )
}

type SubtaskProps = { module: Module; parent: string; subtask: SubItem }

function Subtask({ module, parent, subtask }: SubtaskProps) {
  const format = useFormat()
  const mayUpdate = useMay('tasks', 'update')
  const { item_id: id, title, is_completed: isDone, due_date: due } = subtask
  const put = (is_completed: boolean, version?: number) =>
    changeRecord(module, id, { is_completed }, { version }).finally(
      () => void refreshRecord('tasks', parent),
    )
  const tick = async (checked: boolean) => {
    const version = await put(checked)
    notify({
      message: checked ? t('{title} completed', { title }) : t('{title} opened again', { title }),
      undo: () => put(!checked, version).then(() => {}, notifyRefusal),
    })
  }
  return (
    <li data-done={isDone || undefined}>
      <Checkbox
        round
        label={t('Complete {title}', { title })}
        checked={isDone}
        disabled={!mayUpdate}
        onChange={(checked) => void tick(checked).catch(notifyRefusal)}
      />
      <Link to="/tasks/$id/{-$tab}" params={{ id }}>
        {title}
      </Link>
      {due ? <time dateTime={due}>{shortDay(due, format)}</time> : null}
    </li>
  )
}

/** A line for the title of a further subtask; Enter makes it. */
function NewSubtask({ module, record }: Omit<SectionProps, 'screens'>) {
  const [title, setTitle] = useState('')
  const parent = idOf(module, record)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = title.trim()
    if (!typed) return
    setTitle('')
    const values = { title: typed, parent_id: parent }
    createRecord(module, values, crypto.randomUUID())
      .then(() => refreshRecord('tasks', parent))
      .catch((error: unknown) => {
        // what was typed stays, unless the next one has been begun
        setTitle((now) => now || typed)
        notifyRefusal(error)
      })
  }
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label={t('New subtask')}
        placeholder={t('New subtask')}
        icon="plus"
        maxLength={255}
        value={title}
        onChange={setTitle}
      />
    </form>
  )
}
