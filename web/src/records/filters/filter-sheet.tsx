import type { Clause } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Field } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Filters } from './filters.tsx'
import styles from './filter-sheet.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  filter: Clause[]
  sort: string | undefined
  onChange: (filter: Clause[]) => void
  onSort: (sort: string | undefined) => void
}

/** Conditions and order of a list on a phone. */
export default function FilterSheet({ module, filter, sort, onChange, onSort }: Props) {
  const name = sort?.replace(/^-/, '') ?? null
  return (
    <Drawer
      side="bottom"
      title={t('Filter and sort')}
      trigger={
        <Button icon="filter">
          {filter.length ? t('Filter, {count}', { count: filter.length }) : t('Filter')}
        </Button>
      }
    >
      <div className={styles.sheet}>
        <Filters module={module} filter={filter} onChange={onChange} />
        <Field label={t('Sort by')}>
          <Choice
            value={name}
            clearable
            placeholder={t('Newest first')}
            options={module.fields
              .filter((field) => field.is_sortable)
              .map((field) => ({ value: field.name, label: field.label }))}
            onChange={(next) => onSort(next ?? undefined)}
          />
        </Field>
        {name ? (
          <SegmentedControl
            label={t('Order')}
            value={sort?.startsWith('-') ? 'down' : 'up'}
            onChange={(next) => onSort(next === 'down' ? `-${name}` : name)}
            options={[
              { value: 'up', label: t('Ascending'), icon: 'arrow-up' },
              { value: 'down', label: t('Descending'), icon: 'arrow-down' },
            ]}
          />
        ) : null}
      </div>
    </Drawer>
  )
}
