import { useState } from 'react'
import type { BulkChange, BulkFailure } from '../../data/bulk.ts'
import { changeMany, countOf, mostAtOnce } from '../../data/bulk.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { ListParams } from '../../data/list.ts'
import { mergeable } from '../../data/merge.ts'
import type { Module } from '../../data/modules.ts'
import { fieldThatLooks } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { countWords, useMay } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { isEditable } from '../field/editable.ts'
import { exportAddress } from '../list/export.ts'
import type { Selection } from '../table/selection.ts'
import styles from './bulk-bar.module.css'
import { BulkEdit } from './bulk-edit.tsx'
import { BulkFailures } from './bulk-failures.tsx'
import { BulkMerge } from './bulk-merge.tsx'
import { BulkTags } from './bulk-tags.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  selection: Selection
  rows: AnyRecord[]
  params: ListParams
  total: number | null
}

type Open = 'edit' | 'owner' | 'tags' | 'merge' | 'delete'

/** Above this number a deletion asks for confirmation; fewer are as easily restored as deleted. */
const deletedAtOnce = 25

/** The actions on the selected rows, or on all that the list's search matches. */
export default function BulkBar({ module, selection, rows, params, total }: Props) {
  const [isEverything, setEverything] = useState(false)
  const [open, setOpen] = useState<Open>()
  const [failures, setFailures] = useState<BulkFailure[]>([])
  const mayUpdate = useMay(module.module, 'update')
  const mayDelete = useMay(module.module, 'delete')
  const ids = [...selection.ids]
  const isPage = ids.length === rows.length && rows.length > 0
  const isAll = isEverything && isPage && total !== null
  const count = isAll ? total : ids.length
  const selected = rows.filter((record) => selection.ids.has(idOf(module, record)))
  const owner = fieldThatLooks(module, 'owner')
  const tags = fieldThatLooks(module, 'tags')
  const mayMerge = mergeable.has(module.module) && !isAll && count > 1 && count <= 10

  async function change(what: BulkChange, message: (count: string) => string) {
    setOpen(undefined)
    try {
      const target = isAll ? { params, count } : { ids }
      const failed = await changeMany(module, target, what, message)
      setFailures(failed)
      // refused records stay selected
      selection.only(failed.map(({ id }) => id))
    } catch (error) {
      notifyRefusal(error)
    }
  }
  const remove = () =>
    void change({ action: 'delete' }, (words) => t('Deleted {records}', { records: words }))
  const askToRemove = () => (count > deletedAtOnce ? setOpen('delete') : remove())

  const actions = [
    ...(mayUpdate
      ? [{ open: 'edit', keys: 'Shift+e', label: t('Edit a field'), icon: 'pencil' } as const]
      : []),
    ...(mayUpdate && owner && isEditable(owner)
      ? [{ open: 'owner', keys: 'a', label: t('Change the owner'), icon: 'user' } as const]
      : []),
    ...(mayUpdate && tags?.is_writable
      ? [{ open: 'tags', keys: 't', label: t('Change tags'), icon: 'tag' } as const]
      : []),
    ...(mayUpdate && mayDelete && mayMerge
      ? [{ open: 'merge', keys: 'Shift+m', label: t('Merge'), icon: 'merge' } as const]
      : []),
  ]
  useShortcuts([
    ...actions.map(({ keys, label, open: next }) => ({
      keys,
      label,
      group: t('Selection'),
      run: () => setOpen(next),
    })),
    ...(mayDelete
      ? [{ keys: 'Delete', label: t('Delete'), group: t('Selection'), run: askToRemove }]
      : []),
    {
      keys: 'Escape',
      label: t('Clear the selection'),
      group: t('Selection'),
      run: selection.clear,
    },
  ])
  const close = () => setOpen(undefined)
  const address = exportAddress(
    module.module,
    params,
    'xlsx',
    isAll ? undefined : { key: module.key, ids },
  )
  return (
    <div className={styles.place}>
      <div
        className={styles.bar}
        role="toolbar"
        aria-label={t('{records} selected', { records: countOf(module, count) })}
      >
        <p className={styles.count} role="status">
          <strong>{countWords(count)}</strong> {t('selected')}
        </p>
        {isPage && total !== null && total > rows.length && !isAll ? (
          total <= mostAtOnce ? (
            <Button size="small" variant="quiet" onClick={() => setEverything(true)}>
              {t('Select all {number} that match', { number: countWords(total) })}
            </Button>
          ) : (
            <span className={styles.hint}>
              {t('At most {number} at once', { number: mostAtOnce })}
            </span>
          )
        ) : null}
        <span className={styles.line} />
        {actions.map(({ open: next, icon, keys }) => (
          <Button
            key={next}
            size="small"
            variant="quiet"
            icon={icon}
            aria-keyshortcuts={keys}
            onClick={() => setOpen(next)}
          >
            {{ edit: t('Edit'), owner: t('Owner'), tags: t('Tags'), merge: t('Merge') }[next]}
          </Button>
        ))}
        {address ? (
          <ButtonLink size="small" variant="quiet" icon="download" href={address}>
            {t('Export')}
          </ButtonLink>
        ) : null}
        {mayDelete ? (
          <Button
            size="small"
            variant="quiet"
            icon="trash"
            aria-keyshortcuts="Delete"
            onClick={askToRemove}
          >
            {t('Delete')}
          </Button>
        ) : null}
        <IconButton
          size="small"
          label={t('Clear the selection')}
          icon="x"
          shortcut="Escape"
          onClick={selection.clear}
        />
      </div>
      {open === 'edit' || open === 'owner' ? (
        <BulkEdit
          module={module}
          count={count}
          field={open === 'owner' ? owner : undefined}
          onClose={close}
          onApply={(field, value) =>
            void change({ action: 'update', fields: { [field.name]: value } }, (words) =>
              t('{label} of {records} changed', { label: field.label, records: words }),
            )
          }
        />
      ) : null}
      {open === 'tags' ? (
        <BulkTags
          module={module}
          records={isAll ? [] : selected}
          count={count}
          onClose={close}
          onApply={(action, chosen) =>
            void change({ action, tags: chosen }, (words) =>
              t('Tags of {records} changed', { records: words }),
            )
          }
        />
      ) : null}
      {open === 'merge' ? (
        <BulkMerge
          module={module}
          records={selected}
          onClose={close}
          onMerged={() => {
            close()
            selection.clear()
          }}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title={t('Delete {records}?', { records: countOf(module, count) })}
        confirm={t('Delete {records}', { records: countOf(module, count) })}
        onConfirm={remove}
      >
        {t('They can be restored for 30 days.')}
      </ConfirmDialog>
      {failures.length ? (
        <BulkFailures
          module={module}
          failures={failures}
          titleOf={(id) => {
            const found = rows.find((record) => idOf(module, record) === id)
            return found && titleOf(module, found)
          }}
          onClose={() => setFailures([])}
        />
      ) : null}
    </div>
  )
}
