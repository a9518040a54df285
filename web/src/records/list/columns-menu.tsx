import type { Module } from '../../data/modules.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Button } from '../../ui/button.tsx'
import { useState } from 'react'
import { holdsTyped } from '../../ui/holds.ts'
import { Icon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './columns-menu.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  columns: string[]
  /** undefined for the default columns */
  onChange: (columns: string[] | undefined) => void
}

/** Which columns a table has, and in which order. */
export default function ColumnsMenu({ module, columns, onChange }: Props) {
  const [text, setText] = useState('')
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const rest = module.fields
    .filter(({ name, is_shown: isShown }) => isShown && !columns.includes(name))
    .toSorted((a, b) => a.position - b.position)
  const matches = (name: string) => holdsTyped(labelOf(name), text)
  const labelOf = (name: string) =>
    module.fields.find((field) => field.name === name)?.label ?? name
  const moveTo = (name: string, to: number) => {
    // the title stays first
    if (to < 1 || to >= columns.length || columns[to] === name) return
    const next = columns.filter((each) => each !== name)
    next.splice(to, 0, name)
    onChange(next)
  }
  const move = (name: string, by: number) => moveTo(name, columns.indexOf(name) + by)
  return (
    <Popover
      align="end"
      title={t('Columns')}
      trigger={<IconButton label={t('Columns')} icon="columns" variant="secondary" />}
    >
      <div className={styles.columns}>
        <TextField
          type="search"
          label={t('Search columns')}
          placeholder={t('Search columns')}
          value={text}
          onChange={setText}
        />
        <ul>
          {columns.filter(matches).map((name) => (
            <li
              key={name}
              data-over={(over === name && dragged !== name) || undefined}
              draggable={name !== module.title_field}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', labelOf(name))
                setDragged(name)
              }}
              onDragEnd={() => {
                setDragged(undefined)
                setOver(undefined)
              }}
              onDragOver={(event) => {
                if (!dragged || name === module.title_field) return
                event.preventDefault()
                setOver(name)
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged) moveTo(dragged, columns.indexOf(name))
              }}
            >
              <span className={styles.grip}>
                {name === module.title_field ? null : <Icon name="grip" size={14} />}
              </span>
              <Checkbox
                checked
                disabled={name === module.title_field}
                onChange={() => onChange(columns.filter((each) => each !== name))}
              >
                {labelOf(name)}
              </Checkbox>
              {name === module.title_field ? null : (
                <span className={styles.moves}>
                  <IconButton
                    size="small"
                    label={t('Move {label} left', { label: labelOf(name) })}
                    icon="arrow-up"
                    onClick={() => move(name, -1)}
                  />
                  <IconButton
                    size="small"
                    label={t('Move {label} right', { label: labelOf(name) })}
                    icon="arrow-down"
                    onClick={() => move(name, 1)}
                  />
                </span>
              )}
            </li>
          ))}
          {rest
            .filter(({ name }) => matches(name))
            .map(({ name }) => (
              <li key={name}>
                <span className={styles.grip} />
                <Checkbox checked={false} onChange={() => onChange([...columns, name])}>
                  {labelOf(name)}
                </Checkbox>
              </li>
            ))}
        </ul>
        <Button variant="quiet" size="small" onClick={() => onChange(undefined)}>
          {t('Use the usual columns')}
        </Button>
      </div>
    </Popover>
  )
}
