import { useNavigate } from '@tanstack/react-router'
import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { ExportFormat } from './export.ts'
import { exportAddress } from './export.ts'

const exportFormats: [format: ExportFormat, label: string][] = [
  ['xlsx', 'Export for Excel (.xlsx)'],
  ['csv', 'Export as CSV'],
  ['csv-comma', 'Export as CSV with semicolons'],
]

/** The actions on a whole list: import into it, export what it shows. */
export default function ListMenu({ module, params }: { module: Module; params: ListParams }) {
  const navigate = useNavigate()
  const mayCreate = useMay(module.module, 'create')
  if (!exportAddress(module.module, params, 'csv')) return null
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
    ...exportFormats.flatMap(([format, label]): MenuItem[] => {
      const href = exportAddress(module.module, params, format)
      return href ? [{ kind: 'link', label, icon: 'download', href }] : []
    }),
  ]
  return <Menu align="end" items={items} trigger={<IconButton label="More" icon="more" />} />
}
