import { useNavigate } from '@tanstack/react-router'
import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { ExportFormat } from './export.ts'
import { exportAddress } from './export.ts'
import { t } from '../../locales/text.ts'

const exportFormats: [format: ExportFormat, label: string][] = [
  ['xlsx', t('Export for Excel (.xlsx)')],
  ['csv', t('Export as CSV')],
  ['csv-comma', t('Export as CSV with semicolons')],
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
            label: t('Import {many}…', { many: module.word.many }),
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
  return <Menu align="end" items={items} trigger={<IconButton label={t('More')} icon="more" />} />
}
