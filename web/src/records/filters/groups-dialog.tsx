import { useState } from 'react'
import type { Clause, Condition } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import ConditionEditor from './condition-editor.tsx'
import { FieldList } from './field-list.tsx'
import styles from './groups-dialog.module.css'
import { firstOperator, isComplete } from './words.ts'
import { t } from '../../locales/text.ts'

type Group = { and: Clause[] } | { or: Clause[] }
type Props = {
  module: Module
  filter: Clause[]
  onApply: (filter: Clause[]) => void
  onClose: () => void
}

/** The maximum nesting that the server accepts. */
const deepest = 4

/** Edits conditions in groups, of which all or one must hold; applied together. */
export default function GroupsDialog({ module, filter, onApply, onClose }: Props) {
  const [root, setRoot] = useState<Group>({ and: filter })
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Filter')}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" onClick={() => onApply(topOf(withoutIncomplete(root)))}>
            {t('Apply filter')}
          </Button>
        </>
      }
    >
      <GroupEditor module={module} group={root} level={0} onChange={setRoot} />
    </Dialog>
  )
}

type EditorProps = {
  module: Module
  group: Group
  level: number
  onChange: (group: Group) => void
  onRemove?: () => void
}

function GroupEditor({ module, group, level, onChange, onRemove }: EditorProps) {
  const isAnd = 'and' in group
  const all = isAnd ? group.and : group.or
  const set = (next: Clause[]) => onChange(isAnd ? { and: next } : { or: next })
  const add = (clause: Clause) => set([...all, clause])
  return (
    <fieldset className={styles.group} data-level={level}>
      <legend className={styles.legend}>{t('Group of conditions')}</legend>
      <div className={styles.head}>
        <Choice
          label={t('How the conditions combine')}
          value={isAnd ? 'and' : 'or'}
          options={[
            { value: 'and', label: t('All of these') },
            { value: 'or', label: t('Any of these') },
          ]}
          onChange={(next) => onChange(next === 'or' ? { or: all } : { and: all })}
        />
        {onRemove ? <IconButton icon="x" label={t('Remove the group')} onClick={onRemove} /> : null}
      </div>
      {all.map((clause, at) => (
        // a clause has no id: its index is its key
        <Line
          key={at}
          module={module}
          clause={clause}
          level={level}
          onChange={(next) => set(all.with(at, next))}
          onRemove={() => set(all.filter((_each, index) => index !== at))}
        />
      ))}
      <div className={styles.actions}>
        <AddCondition module={module} onAdd={add} />
        {level < deepest - 1 ? (
          <Button size="small" variant="quiet" icon="plus" onClick={() => add({ or: [] })}>
            {t('Group')}
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

type LineProps = {
  module: Module
  clause: Clause
  level: number
  onChange: (clause: Clause) => void
  onRemove: () => void
}

function Line({ module, clause, level, onChange, onRemove }: LineProps) {
  if ('not' in clause) {
    return (
      <div className={styles.line}>
        <span className={styles.not}>{t('Not')}</span>
        <Line
          module={module}
          clause={clause.not}
          level={level + 1}
          onChange={(next) => onChange({ not: next })}
          onRemove={onRemove}
        />
      </div>
    )
  }
  if ('field' in clause) {
    return (
      <div className={styles.line}>
        <ConditionEditor module={module} condition={clause} onChange={onChange} />
        <IconButton icon="x" label={t('Remove the condition')} onClick={onRemove} />
      </div>
    )
  }
  return (
    <GroupEditor
      module={module}
      group={clause}
      level={level + 1}
      onChange={onChange}
      onRemove={onRemove}
    />
  )
}

function AddCondition({
  module,
  onAdd,
}: {
  module: Module
  onAdd: (condition: Condition) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={t('Add a condition')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" variant="quiet" icon="plus">
          {t('Condition')}
        </Button>
      }
    >
      <FieldList
        module={module}
        onChoose={(field) => {
          setOpen(false)
          onAdd({ field: field.name, operator: firstOperator(field) })
        }}
      />
    </Popover>
  )
}

/** The list of the address: the members of an `and`, or one `or`. */
function topOf(clause: Clause | undefined): Clause[] {
  return clause === undefined ? [] : 'and' in clause ? clause.and : [clause]
}

function withoutIncomplete(clause: Clause): Clause | undefined {
  if ('field' in clause) return isComplete(clause) ? clause : undefined
  if ('not' in clause) {
    const inner = withoutIncomplete(clause.not)
    return inner && { not: inner }
  }
  const rest = ('and' in clause ? clause.and : clause.or).flatMap(
    (each) => withoutIncomplete(each) ?? [],
  )
  if (!rest.length) return undefined
  return 'and' in clause ? { and: rest } : { or: rest }
}
