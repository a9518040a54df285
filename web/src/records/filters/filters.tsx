import { useState } from 'react'
import type { Clause, Condition } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { later } from '../later.tsx'
import { ConditionValue } from './condition-value.tsx'
import { FieldList } from './field-list.tsx'
import styles from './filters.module.css'
import { firstOperator, isComplete, needsValue, summaryOf, wordsOf } from './words.ts'

const ConditionEditor = later(() => import('./condition-editor.tsx'))
const GroupsDialog = later(() => import('./groups-dialog.tsx'))

type Props = { module: Module; filter: Clause[]; onChange: (filter: Clause[]) => void }

/**
 * The conditions of a list, a chip each: all of them hold. A chip opens its editor; what is incomplete is
 * not sent yet. Groups with "or" are edited in a dialog.
 */
export function Filters({ module, filter, onChange }: Props) {
  const [draft, setDraft] = useState<Condition>()
  const [isAdding, setAdding] = useState(false)
  const [isGrouping, setGrouping] = useState(false)
  useShortcuts([{ keys: 'f', label: 'Filter', group: 'List', run: () => setAdding(true) }])
  const fieldOf = (name: string) => module.fields.find((field) => field.name === name)
  const replace = (at: number, clause: Clause) => onChange(filter.with(at, clause))
  const remove = (at: number) => onChange(filter.filter((_each, index) => index !== at))

  function edit(next: Condition) {
    setDraft(next)
    if (isComplete(next)) onChange([...filter, next])
  }

  return (
    <div className={styles.filters}>
      <Popover
        label="Add a filter"
        open={isAdding}
        onOpenChange={(open) => {
          setAdding(open)
          if (!open) setDraft(undefined)
        }}
        trigger={
          <Button icon="filter" aria-label="Filter">
            Filter
          </Button>
        }
      >
        {draft ? (
          <ConditionEditor
            module={module}
            condition={draft}
            onChange={(next) => {
              if (isComplete(draft)) replace(filter.length - 1, next)
              else edit(next)
              setDraft(next)
            }}
          />
        ) : (
          <FieldList
            module={module}
            onChoose={(field) => edit({ field: field.name, operator: firstOperator(field) })}
            onGroups={() => {
              setAdding(false)
              setGrouping(true)
            }}
          />
        )}
      </Popover>
      {filter.map((clause, at) => {
        // a chip has no name of its own: its place is its key
        const key = `${at} ${'field' in clause ? clause.field : 'group'}`
        const words = summaryOf(module, clause)
        if (!('field' in clause)) {
          return (
            <span className={styles.chip} key={key}>
              <button type="button" className={styles.words} onClick={() => setGrouping(true)}>
                {words}
              </button>
              <IconButton
                size="small"
                icon="x"
                label={`Remove: ${words}`}
                onClick={() => remove(at)}
              />
            </span>
          )
        }
        const field = fieldOf(clause.field)
        return (
          <span className={styles.chip} key={key}>
            <Popover
              label={`Filter by ${field?.label ?? clause.field}`}
              trigger={
                <button type="button" className={styles.words}>
                  <span className={styles.name}>{field?.label ?? clause.field}</span>{' '}
                  <span className={styles.operator}>{wordsOf(clause.operator, field)}</span>{' '}
                  {needsValue(clause.operator) && field ? (
                    <ConditionValue field={field} value={clause.value} />
                  ) : null}
                </button>
              }
            >
              <ConditionEditor
                module={module}
                condition={clause}
                onChange={(next) => replace(at, next)}
              />
            </Popover>
            <IconButton
              size="small"
              icon="x"
              label={`Remove: ${words}`}
              onClick={() => remove(at)}
            />
          </span>
        )
      })}
      {filter.length > 1 ? (
        <Button variant="quiet" onClick={() => onChange([])}>
          Clear
        </Button>
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
