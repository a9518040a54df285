import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import { useMay, useSession } from '../../data/session.ts'
import type { View } from '../../data/views.ts'
import { changeView, deleteView, restoreView, viewsQuery } from '../../data/views.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { Clause } from '../../data/list.ts'
import type { Screens } from '../definition.ts'
import { later } from '../later.tsx'
import type { ListSearch } from '../search.ts'
import { columnsOf } from '../use-list.ts'
import { useDeletion } from '../uses/use-deletion.tsx'
import { isChanged, searchOf } from './difference.ts'
import { goneIn } from './gone.ts'
import styles from './views.module.css'
import { t } from '../../locales/text.ts'

const SaveView = later(() => import('./save-view.tsx'))

type Props = {
  module: Module
  screens: Screens
  search: ListSearch
  onChange: (change: Partial<ListSearch>) => void
}

const none: Partial<ListSearch> = {
  view: undefined,
  f: undefined,
  sort: undefined,
  cols: undefined,
  q: undefined,
  page: undefined,
}

/** The usual and the saved views of a list as tabs; what differs from the open one can be saved to it or as a new one. */
export default function Views({ module, screens, search, onChange }: Props) {
  const { data: views = [] } = useQuery({
    ...viewsQuery(module.module),
    enabled: useMay('filters', 'read'),
  })
  const [isSaving, setSaving] = useState(false)
  const [renamed, setRenamed] = useState<View>()
  const { start: startDeletion, dialog } = useDeletion()
  const { user } = useSession()
  const maySave = useMay('filters', 'create')
  const open = views.find((view) => view.filter_id === search.view)
  const content = {
    conditions: search.f ?? [],
    columns: search.cols ? columnsOf(module, screens, search.cols) : [],
    sort: search.sort ?? null,
  }
  const declared = screens.views?.(user) ?? []
  // where the list is, tabs stay there
  const sets = screens.besideRows?.sets ?? (() => false)
  const [place, others] = [
    (search.f ?? []).filter(sets),
    (search.f ?? []).filter((each) => !sets(each)),
  ]
  const chosen = search.view
    ? undefined
    : declared.find(({ conditions }) => JSON.stringify(conditions) === JSON.stringify(others))
  const show = (conditions: Clause[]) => {
    const f = [...place, ...conditions]
    onChange({ ...none, f: f.length ? f : undefined })
  }
  const differs = open ? isChanged(open, search) : Boolean(search.f ?? search.sort ?? search.cols)
  const gone = open ? goneIn(module, open) : []
  const mayChange = open && (open.created_by?.user_id === user.user_id || open.can?.update === true)

  const items: MenuItem[] = open
    ? [
        { label: t('Rename or share…'), icon: 'pencil', onSelect: () => setRenamed(open) },
        {
          label: t('Delete view'),
          icon: 'trash',
          danger: true,
          onSelect: () =>
            startDeletion({
              module: 'filters',
              id: open.filter_id,
              name: open.name,
              remove: async () => {
                await deleteView(open)
                onChange(none)
                notify({
                  message: t('Deleted {name}', { name: open.name }),
                  undo: () => restoreView(open).catch(notifyRefusal),
                })
              },
            }),
        },
      ]
    : []

  return (
    <div className={styles.views}>
      <nav aria-label={t('Views')} className={styles.tabs}>
        <button
          type="button"
          aria-current={open || chosen ? undefined : 'page'}
          onClick={() => show([])}
        >
          {t('All {many}', { many: module.word.many })}
        </button>
        {declared.map((view) => (
          <button
            key={view.label}
            type="button"
            aria-current={view === chosen ? 'page' : undefined}
            onClick={() => show(view.conditions)}
          >
            {view.label}
          </button>
        ))}
        {views.map((view) => (
          <button
            key={view.filter_id}
            type="button"
            aria-current={view === open ? 'page' : undefined}
            onClick={() => onChange({ ...none, ...searchOf(view) })}
          >
            {view.visibility === 'private' ? <Icon name="lock" size={12} /> : null}
            {view.name}
          </button>
        ))}
      </nav>
      <div className={styles.actions}>
        {differs && open && mayChange ? (
          <Button
            size="small"
            onClick={() =>
              void changeView(open, content)
                .then(() => notify({ message: t('{name} saved', { name: open.name }) }))
                .catch(notifyRefusal)
            }
          >
            {t('Save changes')}
          </Button>
        ) : null}
        {differs && maySave ? (
          <Button size="small" variant="quiet" icon="bookmark" onClick={() => setSaving(true)}>
            {open ? t('Save as new view') : t('Save view')}
          </Button>
        ) : null}
        {open && mayChange ? (
          <Menu
            align="end"
            items={items}
            trigger={
              <IconButton
                size="small"
                label={t('More about {name}', { name: open.name })}
                icon="more"
              />
            }
          />
        ) : null}
      </div>
      {dialog}
      {gone.length ? (
        <Banner kind="warn" boxed>
          {t(
            'This view needs repair: {gone} is gone. Change its conditions, then save it. | This view needs repair: {gone} are gone. Change its conditions, then save it.',
            { gone: gone.join(', '), count: gone.length },
          )}
        </Banner>
      ) : null}
      {isSaving || renamed ? (
        <SaveView
          module={module.module}
          content={content}
          {...(renamed ? { view: renamed } : {})}
          onClose={() => {
            setSaving(false)
            setRenamed(undefined)
          }}
          onSaved={(view) => {
            setSaving(false)
            setRenamed(undefined)
            if (view) onChange({ view: view.filter_id })
          }}
        />
      ) : null}
    </div>
  )
}
