import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf } from '../../data/bulk.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { readTags } from '../field/choices.ts'
import styles from './bulk-bar.module.css'
import { t } from '../../locales/text.ts'

type Action = 'add_tags' | 'remove_tags'

type Props = {
  module: Module
  /** the selected records that are on the page, whose tags are offered for removal */
  records: AnyRecord[]
  count: number
  onClose: () => void
  onApply: (action: Action, tags: string[]) => void
}

/** Adds tags to many records, or removes some. */
export function BulkTags({ module, records, count, onClose, onApply }: Props) {
  const [action, setAction] = useState<Action>('add_tags')
  const [tags, setTags] = useState<string[]>([])
  const { data: all = [] } = useQuery({ queryKey: ['tags', 'options'], queryFn: readTags })
  const used = new Set(records.flatMap((record) => (record.tags as string[] | null) ?? []))
  const isAdding = action === 'add_tags'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Tags of {records}', { records: countOf(module, count) })}
      onSubmit={() => {
        if (tags.length) onApply(action, tags)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!tags.length}>
            {isAdding ? t('Add tags') : t('Remove tags')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <SegmentedControl
          label={t('What to do')}
          value={action}
          onChange={(next) => {
            setAction(next as Action)
            setTags([])
          }}
          options={[
            { value: 'add_tags', label: t('Add') },
            { value: 'remove_tags', label: t('Remove') },
          ]}
        />
        <Field label={t('Tags')}>
          <TagsField
            key={action}
            value={tags}
            onChange={setTags}
            options={isAdding || !used.size ? all : all.filter(({ value }) => used.has(value))}
            creatable={isAdding}
          />
        </Field>
      </div>
    </Dialog>
  )
}
