import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import type { View, ViewContent } from '../../data/views.ts'
import { deleteView, reportMailQuery, restoreView, setReportMail } from '../../data/views.ts'
import { useDeletion } from '../../records/uses/use-deletion.tsx'
import SaveView from '../../records/views/save-view.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  view: View
  content: ViewContent
  /** whether the person may rename and delete it */
  isMine: boolean
}

/** What can be done with a saved report: its weekly mail, its name, who sees it, and its end. */
export default function ReportMenu({ view, content, isMine }: Props) {
  const navigate = useNavigate()
  const [isRenaming, setRenaming] = useState(false)
  const { start, dialog } = useDeletion()
  const { filter_id: id, name } = view
  const { data: isMailed = false } = useQuery(reportMailQuery(id))
  const turnMail = async (is_on: boolean) => {
    await setReportMail(id, is_on)
    notify({
      message: is_on
        ? t('You get {name} by mail every Monday', { name })
        : t('{name} is not mailed any more', { name }),
      undo: () => setReportMail(id, !is_on).catch(notifyRefusal),
    })
  }
  const remove = async () => {
    await deleteView(view)
    notify({
      message: t('Deleted {name}', { name }),
      undo: () => restoreView(view).catch(notifyRefusal),
    })
    await navigate({ to: '/reports', search: {} as never })
  }
  const own: MenuItem[] = [
    { label: t('Rename or share…'), icon: 'pencil', onSelect: () => setRenaming(true) },
    {
      label: t('Delete report'),
      icon: 'trash',
      danger: true,
      onSelect: () => start({ module: 'filters', id, name, remove }),
    },
  ]
  return (
    <>
      <Menu
        align="end"
        items={[
          {
            kind: 'checkbox',
            label: t('Mail on Mondays'),
            icon: 'mail',
            checked: isMailed,
            onChange: (checked) => void turnMail(checked).catch(notifyRefusal),
          },
          ...(isMine ? own : []),
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
