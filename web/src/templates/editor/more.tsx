import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { duplicateRecord, notifyRefusal } from '../../data/change.ts'
import { moduleQuery } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import type { Template } from '../../data/templates.ts'
import { endDraft } from '../../data/templates.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../records/later-controls.ts'
import type { Edited } from './use-edited.ts'
import { t } from '../../locales/text.ts'

type MoreProps = {
  template: Template
  edited: Edited
  mayEdit: boolean
  /** where the versions, with the same act, are not shown */
  onUpdate: (() => void) | undefined
}

/** What else can be done to the template. */
export function More({ template, edited, mayEdit, onUpdate }: MoreProps) {
  const { template_id: id } = template
  const navigate = useNavigate()
  const { data: module } = useSuspenseQuery(moduleQuery('templates'))
  const mayCreate = useMay('templates', 'create')
  const items = [
    ...(onUpdate
      ? [{ label: t('Update running projects'), icon: 'refresh-cw' as const, onSelect: onUpdate }]
      : []),
    ...(mayEdit && edited.isDraft
      ? [
          {
            label: t('Discard the draft'),
            icon: 'undo' as const,
            disabled: edited.saving !== 'saved',
            onSelect: () => void endDraft(id, null).then(edited.forget).catch(notifyRefusal),
          },
        ]
      : []),
    ...(mayCreate
      ? [
          {
            label: t('Duplicate'),
            icon: 'copy' as const,
            onSelect: () =>
              void duplicateRecord(module, id)
                .then((copy) => navigate({ to: '/templates/$id', params: { id: copy } }))
                .catch(notifyRefusal),
          },
        ]
      : []),
  ]
  if (!items.length) return null
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t('More about {name}', { name: template.template_name })} icon="more" />
      }
      items={items}
    />
  )
}
