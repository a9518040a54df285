import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import type { View, ViewContent } from '../../data/views.ts'
import { deleteView, restoreView } from '../../data/views.ts'
import { useDeletion } from '../../records/uses/use-deletion.tsx'
import SaveView from '../../records/views/save-view.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { t } from '../../locales/text.ts'

type Props = { view: View; content: ViewContent }

/** What can be done with a saved report: its name, who sees it, and its end. */
export default function ReportMenu({ view, content }: Props) {
  const navigate = useNavigate()
  const [isRenaming, setRenaming] = useState(false)
  const { start, dialog } = useDeletion()
  const { filter_id: id, name } = view
  const remove = async () => {
    await deleteView(view)
    notify({
      message: t('Deleted {name}', { name }),
      undo: () => restoreView(view).catch(notifyRefusal),
    })
    await navigate({ to: '/reports', search: {} as never })
  }
  return (
    <>
      <Menu
        align="end"
        items={[
          { label: t('Rename or share…'), icon: 'pencil', onSelect: () => setRenaming(true) },
          {
            label: t('Delete report'),
            icon: 'trash',
            danger: true,
            onSelect: () => start({ module: 'filters', id, name, remove }),
          },
        ]}
        trigger={<IconButton icon="more" label={t('More about {name}', { name })} />}
      />
      {dialog}
      {isRenaming ? (
        <SaveView
          module={view.module}
          content={content}
          view={view}
          onClose={() => setRenaming(false)}
          onSaved={() => setRenaming(false)}
        />
      ) : null}
    </>
  )
}
