import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/session.ts'
import type { Accepted, SuggestedItem, Transcript } from '../data/transcripts.ts'
import { acceptItems } from '../data/transcripts.ts'
import { useSubmit } from '../data/use-submit.ts'
import { searchPeople } from '../records/field/choices.ts'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Icon } from '../ui/icons.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import { TextField } from '../ui/text-field.tsx'
import { At } from './at.tsx'
import styles from './insight.module.css'
import { t } from '../locales/text.ts'

/** A suggestion as the person would have it. */
type Line = {
  isTaken: boolean
  title: string
  owner: Person | null
  due: string | null
  isShared: boolean
}

export type Chosen = ReturnType<typeof useChosen>

/** What of the suggestions is taken, and how; `shared` are those that the mail lists. */
export function useChosen({ suggested_items: items }: Transcript) {
  const [changed, setChanged] = useState<{ [item: string]: Partial<Line> }>({})
  const lineOf = (item: SuggestedItem): Line => ({ ...first(item), ...changed[item.item_id] })
  const open = items.filter(({ task_id }) => task_id === null)
  const taken = open.filter((item) => lineOf(item).isTaken)
  return {
    open,
    taken,
    lineOf,
    shared: taken.filter((item) => lineOf(item).isShared).map(({ item_id }) => item_id),
    change: (ids: string[], values: Partial<Line>) =>
      setChanged((before) => ({
        ...before,
        ...Object.fromEntries(ids.map((id) => [id, { ...before[id], ...values }])),
      })),
  }
}

/** What is clear enough is taken at first: it has an owner, and no task is called the same. */
function first({ title, owner, due_date, duplicate_of }: SuggestedItem): Line {
  return {
    isTaken: owner !== null && duplicate_of === null,
    title,
    owner: owner?.user_id ? { id: owner.user_id, name: owner.name } : null,
    due: due_date,
    isShared: true,
  }
}

type Props = { transcript: Transcript; chosen: Chosen; project: string | null }

/** The tasks that were read out of a transcript: what is ticked is added in one act. */
export function Suggested({ transcript, chosen, project }: Props) {
  const mayCreate = useMay('tasks', 'create')
  const { suggested_items: items } = transcript
  const { open, taken, lineOf } = chosen
  const there = items.filter((item) => item.duplicate_of).length
  const { submit, isBusy, problem } = useSubmit(() =>
    acceptItems(
      transcript,
      taken.map((item): Accepted => {
        const { title, owner, due, isShared } = lineOf(item)
        return {
          item_id: item.item_id,
          title: title.trim() || item.title,
          owner: owner?.id ?? null,
          due_date: due,
          is_shared: isShared,
        }
      }),
    ),
  )
  const found = t('{count} found | {count} found', { count: items.length })
  const isAll = open.length > 0 && taken.length === open.length
  return (
    <section>
      <div className={styles.title}>
        <h3>{t('Suggested tasks')}</h3>
        <small>
          {there
            ? t('{found}, {count} is there already | {found}, {count} are there already', {
                found,
                count: there,
              })
            : found}
        </small>
        {mayCreate && open.length > 1 ? (
          <Button
            variant="quiet"
            onClick={() =>
              chosen.change(
                open.map(({ item_id }) => item_id),
                { isTaken: !isAll },
              )
            }
          >
            {isAll ? t('None') : t('All')}
          </Button>
        ) : null}
      </div>
      {items.length ? (
        <ul className={styles.items}>
          {items.map((item) => (
            <Item
              key={item.item_id}
              id={transcript.calendar_id}
              line={lineOf(item)}
              onChange={mayCreate ? (values) => chosen.change([item.item_id], values) : undefined}
              {...{ item }}
            />
          ))}
        </ul>
      ) : (
        <p className={styles.quiet}>{t('Nobody took anything on.')}</p>
      )}
      {mayCreate && open.length ? (
        <div className={styles.foot}>
          <ProblemBanner problem={problem} />
          <Button
            variant="primary"
            icon="plus"
            busy={isBusy}
            disabled={!taken.length}
            onClick={() => submit()}
          >
            {t('Add {count} task | Add {count} tasks', { count: taken.length })}
          </Button>
          <small>
            {project ? t('to {project}, one undo', { project }) : t('without a project, one undo')}
          </small>
        </div>
      ) : null}
    </section>
  )
}

type ItemProps = {
  id: string
  item: SuggestedItem
  line: Line
  onChange: ((values: Partial<Line>) => void) | undefined
}

function Item({ id, item, line, onChange }: ItemProps) {
  const { task_id: task, duplicate_of: same, quote, speaker, at, owner } = item
  const said = (
    <p className={styles.quote}>
      <At id={id} seconds={at} /> <q>{speaker ? `${speaker}: ${quote}` : quote}</q>
      {same ? (
        <>
          {' · '}
          <Link to="/tasks/$id/{-$tab}" params={{ id: same.task_id }}>
            {t('is there already')}
          </Link>
        </>
      ) : null}
    </p>
  )
  if (task !== null) {
    return (
      <li>
        <Icon name="check" />
        <div>
          <Link to="/tasks/$id/{-$tab}" params={{ id: task }}>
            {line.title}
          </Link>
          {said}
        </div>
      </li>
    )
  }
  if (!onChange) {
    return (
      <li>
        <Icon name="circle" />
        <div>
          <span>{[line.title, owner?.name].filter(Boolean).join(' · ')}</span>
          {said}
        </div>
      </li>
    )
  }
  return (
    <li>
      <Checkbox
        checked={line.isTaken}
        label={t('Add “{title}”', { title: line.title })}
        onChange={(isTaken) => onChange({ isTaken })}
      />
      <div>
        <div className={styles.line}>
          <TextField
            label={t('Title')}
            value={line.title}
            maxLength={255}
            onChange={(title) => onChange({ title })}
          />
          <PersonField
            label={t('Owner of “{title}”', { title: line.title })}
            value={line.owner}
            search={searchPeople}
            placeholder={owner && !owner.user_id ? owner.name : t('Choose who')}
            clearable
            onChange={(person) => onChange({ owner: person })}
          />
          <DateField
            label={t('Due date of “{title}”', { title: line.title })}
            value={line.due}
            onChange={(due) => onChange({ due })}
          />
        </div>
        {said}
        <Checkbox checked={line.isShared} onChange={(isShared) => onChange({ isShared })}>
          {t('Shared with the customer')}
        </Checkbox>
      </div>
    </li>
  )
}
