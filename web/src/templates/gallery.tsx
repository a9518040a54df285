import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteRecord, duplicateRecord, notifyRefusal } from '../data/change.ts'
import type { Module } from '../data/modules.ts'
import { moduleQuery } from '../data/modules.ts'
import { levelOf, useMay, useMayOf, useSession } from '../data/session.ts'
import type { Template, TemplateUsage } from '../data/templates.ts'
import { templatesQuery, usageQuery } from '../data/templates.ts'
import { later } from '../records/later.tsx'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../records/later-controls.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Tag } from '../ui/tag.tsx'
import { Bar } from './bars.tsx'
import { outlineOf } from './outline.ts'
import styles from './templates.module.css'
import { t } from '../locales/text.ts'

const UseTemplate = later(() => import('./use-template.tsx'))
const Suggested = later(() => import('./suggested.tsx'), 'shown')

/** The templates of projects, as cards: the organization's own, those that come with the product, and what past projects suggest. */
export default function Gallery() {
  usePageTitle(t('Templates'))
  const mayRead = levelOf(useSession(), 'templates', 'read') !== 'none'
  return (
    <div className={styles.page}>
      <PageHeader title={t('Templates')} />
      {mayRead ? (
        <Lists />
      ) : (
        <Empty icon="list-tree" title={t('You may not see templates')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      )}
    </div>
  )
}

function Lists() {
  const { data: module } = useSuspenseQuery(moduleQuery('templates'))
  const { data, error, refetch } = useQuery(templatesQuery)
  const { data: usage = [] } = useQuery(usageQuery)
  const used = new Map(usage.map((each) => [each.template_id, each]))
  const { show } = useSearch({ strict: false }) as { show?: string }
  const navigate = useNavigate()
  const [using, setUsing] = useState<string>()
  if (error && !data) {
    return (
      <ReadFault title={t('The templates could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (!data) return <SkeletonRows count={6} />
  const [shipped, own] = [true, false].map((is) =>
    data.filter(({ is_predefined }) => is_predefined === is),
  ) as [Template[], Template[]]
  const cards = (templates: Template[]) => (
    <ul className={styles.cards}>
      {templates.map((template) => (
        <Card
          key={template.template_id}
          {...{ template, module }}
          usage={used.get(template.template_id)}
          onUse={() => setUsing(template.template_id)}
        />
      ))}
    </ul>
  )
  // a new organization has none of its own
  const tab = show ?? (own.length ? 'ours' : 'shipped')
  return (
    <div className={styles.lists}>
      <Tabs
        label={t('Templates')}
        value={tab === 'shipped' || tab === 'suggested' ? tab : 'ours'}
        onChange={(next) =>
          void navigate({ to: '/templates', search: { show: next }, replace: true })
        }
        tabs={[
          {
            value: 'ours',
            label: t('Ours'),
            count: own.length,
            content: own.length ? (
              cards(own)
            ) : (
              <Empty icon="list-tree" title={t('No templates of your own')}>
                {t('Save a good project as one, or duplicate a shipped one.')}
              </Empty>
            ),
          },
          {
            value: 'shipped',
            label: t('Shipped'),
            count: shipped.length,
            content: shipped.length ? (
              cards(shipped)
            ) : (
              <Empty title={t('No templates are shipped')} />
            ),
          },
          { value: 'suggested', label: t('Suggested'), content: <Suggested /> },
        ]}
      />
      {using ? (
        <UseTemplate
          target={{ kind: 'new' }}
          templateId={using}
          onClose={() => setUsing(undefined)}
        />
      ) : null}
    </div>
  )
}

function Card({
  template,
  module,
  usage,
  onUse,
}: {
  template: Template
  module: Module
  usage: TemplateUsage | undefined
  onUse: () => void
}) {
  const { template_id: id, template_name: name, description, is_predefined } = template
  const { milestones, tasks, days, roles } = outlineOf(template)
  const mayCreate = useMay('templates', 'create')
  const mayUse = useMay('projects', 'create')
  const mayDelete = useMayOf('templates', template, 'delete') && !is_predefined
  const navigate = useNavigate()
  const facts = [
    t('{count} task | {count} tasks', { count: tasks }),
    t('{count} working day | {count} working days', { count: days }),
  ]
  if (roles.length) facts.push(t('{count} role | {count} roles', { count: roles.length }))
  const { running = 0, n = 0, median = null } = usage ?? {}
  if (running + n) facts.push(t('used {count} time | used {count} times', { count: running + n }))
  if (median !== null) facts.push(t('takes {count} day | takes {count} days', { count: median }))
  return (
    <li className={styles.card}>
      <div className={styles.name}>
        <h2>
          <Link to="/templates/$id" params={{ id }}>
            {name}
          </Link>
        </h2>
        {is_predefined ? <Tag neutral>{t('Shipped')}</Tag> : null}
      </div>
      <p className={styles.line}>{description}</p>
      <ul className={styles.strip} aria-label={t('Milestones of {name}', { name })}>
        {milestones.slice(0, most).map((each, at) => (
          // a template's milestones have no ids
          <li key={at}>
            <span>{each.name}</span>
            <Bar start={each.start} end={each.end} length={days} />
          </li>
        ))}
      </ul>
      {milestones.length > most ? (
        <p className={styles.line}>{t('{count} more', { count: milestones.length - most })}</p>
      ) : null}
      <div className={styles.foot}>
        <span>{facts.join(' · ')}</span>
        {mayUse ? (
          <Button icon="folder-kanban" aria-label={t('Use {name}', { name })} onClick={onUse}>
            {t('Use')}
          </Button>
        ) : null}
        {mayCreate || mayDelete ? (
          <Menu
            align="end"
            trigger={<IconButton label={t('More about {name}', { name })} icon="more" />}
            items={[
              ...(mayCreate
                ? [
                    {
                      label: t('Duplicate'),
                      icon: 'copy' as const,
                      onSelect: () =>
                        void duplicateRecord(module, id)
                          .then(() => navigate({ to: '/templates', search: { show: 'ours' } }))
                          .catch(notifyRefusal),
                    },
                  ]
                : []),
              ...(mayDelete
                ? [
                    {
                      label: t('Delete'),
                      icon: 'trash' as const,
                      danger: true,
                      onSelect: () => void deleteRecord(module, id, name).catch(notifyRefusal),
                    },
                  ]
                : []),
            ]}
          />
        ) : null}
      </div>
    </li>
  )
}

/** How many milestones a card shows. */
const most = 6
