import { useNavigate } from '@tanstack/react-router'
import { addressOf } from '../../api/request.ts'
import type { ListParams } from '../../data/list.ts'
import { searchOf } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

const exportPaths: { [module: string]: string } = {
  companies: '/api/company/export/',
  contacts: '/api/contact/export/',
  accounts: '/api/exports/accounts/',
  deals: '/api/exports/deals/',
  projects: '/api/exports/projects/',
  tasks: '/api/exports/tasks/',
  tags: '/api/exports/tags/',
}

/** What one does with a whole list: import into it, export what it shows. */
export function ListMenu({ module, params }: { module: Module; params: ListParams }) {
  const navigate = useNavigate()
  const mayCreate = useMay(module.module, 'create')
  const path = exportPaths[module.module]
  if (!path) return null
  const { more: _only, ...asked } = params
  const items: MenuItem[] = [
    ...(mayCreate
      ? [
          {
            label: `Import ${module.word.many}…`,
            icon: 'upload',
            onSelect: () =>
              void navigate({ to: '/import', search: { module: module.module } as never }),
          } as const,
        ]
      : []),
    {
      kind: 'link',
      label: 'Export as CSV',
      icon: 'download',
      href: addressOf(path, searchOf(asked)),
    },
  ]
  return <Menu align="end" items={items} trigger={<IconButton label="More" icon="more" />} />
}
