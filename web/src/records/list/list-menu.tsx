import { useNavigate } from '@tanstack/react-router'
import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { exportAddress } from './export.ts'

/** The actions on a whole list: import into it, export what it shows. */
export default function ListMenu({ module, params }: { module: Module; params: ListParams }) {
  const navigate = useNavigate()
  const mayCreate = useMay(module.module, 'create')
  const address = exportAddress(module.module, params)
  if (!address) return null
  const items: MenuItem[] = [
    ...(mayCreate
      ? [
          {
            label: `Import ${module.word.many}…`,
            icon: 'upload',
            onSelect: () => void navigate({ to: '/import', search: { module: module.module } }),
          } as const,
        ]
      : []),
    {
      kind: 'link',
      label: 'Export as CSV',
      icon: 'download',
      href: address,
    },
  ]
  return <Menu align="end" items={items} trigger={<IconButton label="More" icon="more" />} />
}
