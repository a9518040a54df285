import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../api/request.ts'
import { changeRecord, createRecord, deleteRecord } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { fieldOf, moduleQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { ItemRow } from '../ui/setting.tsx'
import { Tag } from '../ui/tag.tsx'
import { NameDialog } from './name-dialog.tsx'
import { Searched, pageSize, useSearch } from './searched.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type TagRecord = {
  tag_id: string
  tag_name: string
  /** the module that it is for; null for all */
  tag_type: number | null
  is_predefined: boolean
  is_shared: boolean
  version: number
  [field: string]: unknown
}

/** The tags that records can have. */
export default function Tags() {
  const { data: module } = useSuspenseQuery(moduleQuery('tags'))
  const types = new Map(
    fieldOf(module, 'tag_type')?.options.map(({ value, label }) => [value, label]),
  )
  const search = useSearch()
  const { q, page } = search
  const { start: startDeletion, dialog } = useDeletion()
  const [naming, setNaming] = useState<TagRecord | 'new'>()
  const may = {
    create: useMay('tags', 'create'),
    update: useMay('tags', 'update'),
    delete: useMay('tags', 'delete'),
  }
  const read = useQuery({
    queryKey: keys.list('tags', { settings: true, q, page }),
    queryFn: async () => {
      const { data: rows, headers } = await request<TagRecord[]>('GET', '/api/tags/info/', {
        query: { page, items_per_page: pageSize, sort: 'tag_name', q, include_count: true },
      })
      return { rows, total: Number(headers.get('x-total-count') ?? rows.length) }
    },
    placeholderData: (before) => before,
  })
  const create = async (tag_name: string) => {
    await createRecord(module, { tag_name }, crypto.randomUUID())
    notify({ message: t('{tag_name} created', { tag_name }) })
  }
  return (
    <SectionPage
      title={t('Tags')}
      about={t('Words that people put on records. Renaming one renames it everywhere.')}
      actions={
        may.create ? (
          <Button variant="primary" icon="plus" onClick={() => setNaming('new')}>
            {t('Create tag')}
          </Button>
        ) : null
      }
    >
      <Searched
        label={t('Search tags')}
        fault={t('The tags could not be read')}
        search={search}
        read={read}
        empty={
          <Empty small icon="tags" title={t('No tags yet')}>
            {t('Create one here, or type it into the tags of a record.')}
          </Empty>
        }
        row={(tag) => (
          <ItemRow
            key={tag.tag_id}
            name={<Tag>{tag.tag_name}</Tag>}
            marks={
              <>
                {/* two tags may have one name if they are for different modules */}
                {tag.tag_type ? (
                  <span className={styles.quiet}>{types.get(String(tag.tag_type))}</span>
                ) : null}
                {tag.is_predefined ? <span className={styles.quiet}>{t('Built in')}</span> : null}
              </>
            }
            actions={
              may.update || may.delete ? (
                <Menu
                  align="end"
                  items={[
                    ...(may.update
                      ? [
                          {
                            label: t('Rename'),
                            icon: 'pencil',
                            onSelect: () => setNaming(tag),
                          } as const,
                        ]
                      : []),
                    ...(may.delete
                      ? [
                          {
                            label: t('Delete'),
                            icon: 'trash',
                            danger: true,
                            onSelect: () =>
                              startDeletion({
                                module: 'tags',
                                id: tag.tag_id,
                                name: tag.tag_name,
                                remove: () => deleteRecord(module, tag.tag_id, tag.tag_name),
                              }),
                          } as const,
                        ]
                      : []),
                  ]}
                  trigger={
                    <IconButton
                      icon="more"
                      label={t('Actions for {tag_name}', { tag_name: tag.tag_name })}
                    />
                  }
                />
              ) : null
            }
          />
        )}
      />
      {dialog}
      {naming ? (
        <NameDialog
          title={
            naming === 'new'
              ? t('Create tag')
              : t('Rename {tag_name}', { tag_name: naming.tag_name })
          }
          action={naming === 'new' ? t('Create tag') : t('Rename')}
          name={naming === 'new' ? '' : naming.tag_name}
          onSave={(tag_name) =>
            naming === 'new'
              ? create(tag_name)
              : changeRecord(
                  module,
                  naming.tag_id,
                  { tag_name },
                  { message: t('Renamed to {tag_name}', { tag_name }) },
                )
          }
          onClose={() => setNaming(undefined)}
        />
      ) : null}
    </SectionPage>
  )
}
