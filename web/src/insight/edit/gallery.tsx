import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WidgetConfig, WidgetType } from '../../data/dashboards.ts'
import { levelOf, useMay, useSession } from '../../data/session.ts'
import { reportsQuery } from '../../data/views.ts'
import { holdsTyped } from '../../ui/holds.ts'
import type { IconName } from '../../ui/icons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { countedNames, countedReports, mayCount } from '../report/shipped.ts'
import { typeOfReport, widgetAbout, widgetModules, widgetNames } from '../words.ts'
import css from './edit.module.css'
import { t } from '../../locales/text.ts'

type Props = { onAdd: (type: WidgetType, config: WidgetConfig, name: string) => void }

const kinds: { title: string; types: [WidgetType, IconName][] }[] = [
  {
    title: t('Customers'),
    types: [
      ['accounts_health', 'heart-pulse'],
      ['survey_nps', 'smile'],
      ['new_companies', 'building'],
      ['new_contacts', 'contact'],
    ],
  },
  {
    title: t('Deals'),
    types: [
      ['deals_by_stage', 'columns'],
      ['deal_funnel', 'filter'],
      ['revenue_forecast', 'chart'],
      ['deals_won_lost', 'trophy'],
    ],
  },
  {
    title: t('Delivery'),
    types: [
      ['projects_by_status', 'folder-kanban'],
      ['milestone_progress', 'milestone'],
      ['tasks_by_status', 'tasks'],
      ['overdue_tasks', 'clock'],
      ['meetings', 'calendar'],
      ['activities', 'activity'],
    ],
  },
]

/** What can be added to a dashboard: every type of widget that the person may read, and saved reports. */
export function Gallery({ onAdd }: Props) {
  const [typed, setTyped] = useState('')
  const session = useSession()
  const { data: reports = [] } = useQuery({ ...reportsQuery, enabled: useMay('filters', 'read') })
  const mayRead = (module: string) => levelOf(session, module, 'read') !== 'none'
  const sections = [
    ...kinds.map(({ title, types }) => ({
      title,
      entries: types
        .filter(([type]) => mayRead(widgetModules[type]))
        .map(([type, icon]) => ({
          id: type,
          icon,
          name: widgetNames[type],
          about: widgetAbout[type],
          add: () => onAdd(type, {}, widgetNames[type]),
        })),
    })),
    {
      title: t('Shipped'),
      entries: countedNames
        .filter((report) => mayCount(session, report))
        .map((report) => ({
          id: report,
          icon: 'chart-line' as const,
          name: countedReports[report].name,
          about: countedReports[report].note,
          add: () =>
            onAdd(
              typeOfReport(countedReports[report].module),
              { report_id: report },
              countedReports[report].name,
            ),
        })),
    },
    {
      title: t('Saved reports'),
      entries: reports
        .filter(({ module }) => mayRead(module))
        .map(({ filter_id: report_id, module, name, visibility }) => ({
          id: report_id,
          icon: 'chart-line' as const,
          name,
          about: visibility === 'private' ? t('Only you see this report') : '',
          add: () => onAdd(typeOfReport(module), { report_id }, name),
        })),
    },
  ]
  const found = sections
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ name, about }) => holdsTyped(`${name} ${about}`, typed)),
    }))
    .filter(({ entries }) => entries.length)
  return (
    <div className={css.gallery}>
      <TextField
        type="search"
        icon="search"
        label={t('Search what can be added')}
        placeholder={t('Search')}
        value={typed}
        onChange={setTyped}
      />
      {found.length ? null : <p className={css.note}>{t('Nothing found')}</p>}
      {found.map(({ title, entries }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {entries.map(({ id, icon, name, about, add }) => (
              <li key={id}>
                <button type="button" className={css.kind} onClick={add}>
                  <Icon name={icon} />
                  <span>
                    <b>{name}</b>
                    <small>{about}</small>
                  </span>
                  <Icon name="plus" size={14} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
