import { useNavigate } from '@tanstack/react-router'
import { deleteRecord, duplicateRecord, notifyRefusal } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { useMay, useMayOf } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Screens } from '../definition.ts'
import { addressIn } from '../definition.ts'

type Props = { module: Module; record: AnyRecord; screens: Screens; onDeleted: () => void }

/** The actions on a whole record. */
export function RecordMenu({ module, record, screens, onDeleted }: Props) {
  const navigate = useNavigate()
  const mayCreate = useMay(module.module, 'create')
  const id = idOf(module, record)
  const mayDelete = useMayOf(module.module, record, 'delete')
  const items: MenuItem[] = [
    {
      label: 'Copy link',
      icon: 'link',
      onSelect: () =>
        void navigator.clipboard
          .writeText(`${location.origin}${screens.address}/${id}`)
          .then(() => toast({ message: 'Link copied' })),
    },
    ...(screens.canDuplicate && mayCreate
      ? [
          {
            label: `Duplicate ${module.word.one}`,
            icon: 'copy',
            onSelect: () =>
              void duplicateRecord(module, id)
                .then((copy) => navigate({ to: addressIn(screens, copy) }))
                .catch(notifyRefusal),
          } as const,
        ]
      : []),
    ...(mayDelete
      ? [
          { kind: 'separator' } as const,
          {
            label: `Delete ${module.word.one}`,
            icon: 'trash',
            danger: true,
            onSelect: () =>
              void deleteRecord(module, id, titleOf(module, record))
                .then(onDeleted)
                .catch(notifyRefusal),
          } as const,
        ]
      : []),
  ]
  return <Menu align="end" items={items} trigger={<IconButton label="More" icon="more" />} />
}
