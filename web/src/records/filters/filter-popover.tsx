import type { Condition } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { Popover } from '../../ui/popover.tsx'
import ConditionEditor from './condition-editor.tsx'
import { FieldList } from './field-list.tsx'
import { firstOperator } from './words.ts'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  /** the element at which it opens, and to which the focus returns */
  anchor: HTMLElement
  /** the condition to edit; if there is none yet, a field is chosen first */
  condition: Condition | undefined
  onChange: (condition: Condition) => void
  onClose: () => void
  onGroups: () => void
}

/** The editor of a condition beside its chip, or beside the button that adds one. */
export default function FilterPopover({
  module,
  anchor,
  condition,
  onChange,
  onClose,
  onGroups,
}: Props) {
  const label = condition
    ? t('Filter by {label}', { label: fieldOf(module, condition.field)?.label ?? condition.field })
    : t('Add a filter')
  return (
    <Popover
      open
      anchor={anchor}
      label={label}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      {condition ? (
        <ConditionEditor module={module} condition={condition} onChange={onChange} />
      ) : (
        <FieldList
          module={module}
          onChoose={(field) => onChange({ field: field.name, operator: firstOperator(field) })}
          onGroups={onGroups}
        />
      )}
    </Popover>
  )
}
