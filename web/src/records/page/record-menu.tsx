import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteRecord, duplicateRecord, notifyRefusal } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { levelOf, useMay, useMayOf, useSession } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Act, Screens } from '../definition.ts'
import { addressIn } from '../definition.ts'
import { Declared } from '../later.tsx'
import { useDeletion } from '../uses/use-deletion.tsx'
import { t } from '../../locales/text.ts'

type Props = { module: Module; record: AnyRecord; screens: Screens; onDeleted: () => void }

/** The actions on a whole record. */
export function RecordMenu({ module, record, screens, onDeleted }: Props) {
  const navigate = useNavigate()
  const mayCreate = useMay(module.module, 'create')
  const id = idOf(module, record)
  const mayDelete = useMayOf(module.module, record, 'delete')
  const session = useSession()
  const acts = (screens.acts ?? []).filter(({ needs }) =>
    needs.every(([of, action]) => levelOf(session, of, action) !== 'none'),
  )
  const [act, setAct] = useState<Act>()
  const { start: startDeletion, dialog } = useDeletion()
  const name = titleOf(module, record)
  const remove = () => deleteRecord(module, id, name).then(onDeleted)
  const deletion = { module: module.module, id, name, remove }
  const items: MenuItem[] = [
    {
      label: t('Copy link'),
      icon: 'link',
      onSelect: () =>
        void navigator.clipboard
          .writeText(`${location.origin}${screens.address}/${id}`)
          .then(() => toast({ message: t('Link copied') })),
    },
    ...(screens.canDuplicate && mayCreate
      ? [
          {
            label: t('Duplicate {one}', { one: module.word.one }),
            icon: 'copy',
            onSelect: () =>
              void duplicateRecord(module, id)
                .then((copy) => navigate({ to: addressIn(screens, copy) }))
                .catch(notifyRefusal),
          } as const,
        ]
      : []),
    ...acts.map((each) => ({
      label: each.label,
      icon: each.icon,
      onSelect: () => setAct(each),
    })),
    ...(mayDelete
      ? [
          { kind: 'separator' } as const,
          {
            label: t('Delete {one}', { one: module.word.one }),
            icon: 'trash',
            danger: true,
            onSelect: () =>
              screens.asksUses ? startDeletion(deletion) : void remove().catch(notifyRefusal),
          } as const,
        ]
      : []),
  ]
  return (
    <>
      <Menu align="end" items={items} trigger={<IconButton label={t('More')} icon="more" />} />
      {dialog}
      {act ? (
        <Declared
          load={act.load}
          props={{ module, record, screens, onClose: () => setAct(undefined) }}
        />
      ) : null}
    </>
  )
}
