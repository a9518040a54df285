import { useState } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import { holdsTyped } from '../../ui/holds.ts'
import { Icon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './filters.module.css'
import { t } from '../../locales/text.ts'

type ListProps = { module: Module; onChoose: (field: Field) => void; onGroups?: () => void }

/** The fields for conditions, searched by typing. */
export function FieldList({ module, onChoose, onGroups }: ListProps) {
  const [text, setText] = useState('')
  const found = module.fields
    .filter(
      ({ is_filterable, label, type }) => is_filterable && type !== 'id' && holdsTyped(label, text),
    )
    // fields shown on pages come before those that only programs need
    .toSorted((one, other) => Number(other.is_shown) - Number(one.is_shown))
  return (
    <div className={styles.list}>
      <TextField
        type="search"
        icon="search"
        label={t('Search fields')}
        placeholder={t('Filter by…')}
        value={text}
        onChange={setText}
        autoFocus
        onKeyDown={(event) => {
          const [first] = found
          if (event.key === 'Enter' && first) {
            event.preventDefault()
            onChoose(first)
          }
        }}
      />
      <ul>
        {found.map((field) => (
          <li key={field.name}>
            <button type="button" onClick={() => onChoose(field)}>
              {field.label}
            </button>
          </li>
        ))}
      </ul>
      {onGroups ? (
        <button type="button" className={styles.groups} onClick={onGroups}>
          <Icon name="braces" /> {t('Groups with and, or…')}
        </button>
      ) : null}
    </div>
  )
}
