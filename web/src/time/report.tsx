import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addressOf } from '../api/request.ts'
import { isConfined, levelOf, useSession } from '../data/session.ts'
import type { ReportParams } from '../data/time.ts'
import { timeReportQuery } from '../data/time.ts'
import { addDays, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import type { Search } from './filters.tsx'
import { TimeFilters } from './filters.tsx'
import { ReportTable } from './report-table.tsx'
import styles from './report.module.css'
import { t } from '../locales/text.ts'

const groups = [
  { value: 'person', label: t('People') },
  { value: 'project', label: t('Projects') },
  { value: 'week', label: t('Weeks') },
] as const
/** Where the time went: people, projects or weeks, week by week, as a table and as a file. */
export default function Time() {
  usePageTitle(t('Time'))
  const session = useSession()
  if (levelOf(session, 'tasks', 'read') === 'none' || isConfined(session)) {
    return (
      <div className={styles.page}>
        <PageHeader title={t('Time')} />
        <Empty icon="clock" title={t('You may not see the time of others')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      </div>
    )
  }
  return <Report />
}

function Report() {
  const { timezone } = useFormat()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const params = paramsOf(search, today(timezone))
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...timeReportQuery(params),
    placeholderData: (before) => before,
  })
  const change = (next: Search) =>
    void navigate({ to: '/time', search: { ...search, ...next }, replace: true })
  const { group: _, ...filters } = params
  const isFiltered = Boolean(params.user ?? params.project_id) || params.is_billable !== undefined
  const file = addressOf('/api/exports/time-entries/', { ...filters, bom: true })
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('Time')}
        actions={
          <ButtonLink icon="download" href={file} download>
            {t('Export CSV')}
          </ButtonLink>
        }
      />
      <Toolbar label={t('What is shown')} wrap>
        <SegmentedControl
          label={t('Rows')}
          value={params.group}
          options={[...groups]}
          onChange={(group) => change({ group })}
        />
        <TimeFilters
          {...{ params, search }}
          week={data?.weeks[0]?.week}
          today={today(timezone)}
          onChange={change}
        />
        <ToolbarSpace />
      </Toolbar>
      {error ? (
        <ReadFault title={t('The time could not be read')} error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows count={8} />
      ) : data.rows.length ? (
        <ReportTable report={data} isStale={isPlaceholderData} />
      ) : (
        <Empty
          icon="clock"
          title={t('No time in these days')}
          action={
            isFiltered ? (
              <Button onClick={() => change({ person: '', project: '', billable: 'all' })}>
                {t('Clear filters')}
              </Button>
            ) : undefined
          }
        >
          {t('Time comes from the timers of tasks, and from what people add to a task by hand.')}
        </Empty>
      )}
    </div>
  )
}

/** What the address asks for; the last four weeks without days. */
function paramsOf(search: Search, now: string): ReportParams {
  const { group, from, to, billable, person, project } = search
  const last = isDay(to) ? to : now
  return {
    group: groups.find(({ value }) => value === group)?.value ?? 'person',
    from: isDay(from) ? from : addDays(last, -27),
    to: last,
    ...(person ? { user: person } : {}),
    ...(project ? { project_id: project } : {}),
    ...(billable === 'true' || billable === 'false' ? { is_billable: billable === 'true' } : {}),
  }
}

function isDay(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? '')
}
