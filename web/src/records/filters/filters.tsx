import { useRef, useState } from 'react'
import type { Clause, Condition } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { later } from '../later.tsx'
import { ConditionValue } from './condition-value.tsx'
import styles from './filters.module.css'
import { useNamedFields } from './linked-fields.ts'
import { isComplete, needsValue, summaryOf, wordsOf } from './words.ts'
import { t } from '../../locales/text.ts'

// popups would be a third of a list's first load
const FilterPopover = later(() => import('./filter-popover.tsx'))
const GroupsDialog = later(() => import('./groups-dialog.tsx'))

type Props = { module: Module; filter: Clause[]; onChange: (filter: Clause[]) => void }

/** The chip whose editor is open, or the button that adds one, by its element. */
type Editing = { at: number | 'new'; anchor: HTMLElement }

/**
 * The conditions of a list, one chip each, all of which must hold. A chip opens its editor; incomplete conditions are
 * not sent yet. Groups with "or" are edited in a dialog.
 */
export function Filters({ module: own, filter, onChange }: Props) {
  const module = useNamedFields(own, filter)
  const [draft, setDraft] = useState<Condition>()
  const [editing, setEditing] = useState<Editing>()
  const [isGrouping, setGrouping] = useState(false)
  const adder = useRef<HTMLButtonElement>(null)
  const fieldOf = (name: string) => module.fields.find((field) => field.name === name)
  const replace = (at: number, clause: Clause) => onChange(filter.with(at, clause))
  const remove = (at: number) => onChange(filter.filter((_each, index) => index !== at))
  const close = () => {
    setEditing(undefined)
    setDraft(undefined)
  }
  const add = () => {
    if (!adder.current) return
    setDraft(undefined)
    setEditing({ at: 'new', anchor: adder.current })
  }
  useShortcuts([{ keys: 'f', label: t('Filter'), group: t('List'), run: add }])

  /** The props of a button at which a popup opens. */
  const opens = (at: Editing['at']) => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': editing?.at === at,
    'data-popup-open': editing?.at === at || undefined,
  })

  function edit(next: Condition) {
    if (draft && isComplete(draft)) replace(filter.length - 1, next)
    else if (isComplete(next)) onChange([...filter, next])
    setDraft(next)
  }

  const edited = editing?.at === 'new' ? draft : editing && filter[editing.at]
  return (
    <div className={styles.filters}>
      <Button
        ref={adder}
        icon="filter"
        aria-label={t('Filter')}
        {...opens('new')}
        onClick={() => (editing?.at === 'new' ? close() : add())}
      >
        {t('Filter')}
      </Button>
      {filter.map((clause, at) => {
        // a chip has no id: its index is its key
        const key = `${at} ${'field' in clause ? clause.field : 'group'}`
        const words = summaryOf(module, clause)
        const isGroup = !('field' in clause)
        const field = isGroup ? undefined : fieldOf(clause.field)
        return (
          <span className={styles.chip} key={key}>
            {isGroup ? (
              <button type="button" className={styles.words} onClick={() => setGrouping(true)}>
                {words}
              </button>
            ) : (
              <button
                type="button"
                className={styles.words}
                {...opens(at)}
                onClick={({ currentTarget }) =>
                  editing?.at === at ? close() : setEditing({ at, anchor: currentTarget })
                }
              >
                <span className={styles.name}>{field?.label ?? clause.field}</span>{' '}
                <span className={styles.operator}>{wordsOf(clause.operator, field)}</span>{' '}
                {needsValue(clause.operator) && field ? (
                  <ConditionValue field={field} value={clause.value} />
                ) : null}
              </button>
            )}
            <IconButton
              size="small"
              icon="x"
              label={t('Remove: {condition}', { condition: words })}
              onClick={() => remove(at)}
            />
          </span>
        )
      })}
      {filter.length > 1 ? (
        <Button variant="quiet" onClick={() => onChange([])}>
          {t('Clear')}
        </Button>
      ) : null}
      {editing ? (
        <FilterPopover
          key={editing.at}
          module={module}
          anchor={editing.anchor}
          condition={edited && 'field' in edited ? edited : undefined}
          onChange={(next) => (editing.at === 'new' ? edit(next) : replace(editing.at, next))}
          onClose={close}
          onGroups={() => {
            close()
            setGrouping(true)
          }}
        />
      ) : null}
      {isGrouping ? (
        <GroupsDialog
          module={module}
          filter={filter}
          onClose={() => setGrouping(false)}
          onApply={(next) => {
            setGrouping(false)
            onChange(next)
          }}
        />
      ) : null}
    </div>
  )
}
