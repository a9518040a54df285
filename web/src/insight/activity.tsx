import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ActivityEntry, ActivityFilters } from '../data/activity.ts'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { activityQuery } from '../data/activity.ts'
import { moduleQuery, modulesQuery } from '../data/modules.ts'
import { levelOf, useSession } from '../data/session.ts'
import { addDays, clock, instant, today } from '../records/field/format.ts'
import { PersonFilter } from '../records/field/link-filters.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { daysOf } from '../records/days.ts'
import { SearchField } from '../records/list/search-field.tsx'
import { moduleOf, Sentence } from '../records/sentence.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { ChangedWords } from '../ui/changed-words.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import { later } from '../records/later.tsx'
import { useShortcuts } from '../shortcuts/keys.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './activity.module.css'
import insight from './insight.module.css'
import { t } from '../locales/text.ts'

const Customers = later(() => import('./customers/customers.tsx'))
const TakeBack = later(() => import('./edit/take-back.tsx'))

type Search = {
  range?: string
  /** days, of a link to them; a range goes before them */
  from?: string
  to?: string
  person?: string
  module?: string
  action?: string
  source?: string
  /** the id of a record, or the name of a field, of the module */
  record?: string
  field?: string
  q?: string
  view?: string
}

/** How many days back, by the word in the address. */
const ranges: { [range: string]: { label: string; days: number } } = {
  today: { label: t('Today'), days: 0 },
  '7_days': { label: t('Last 7 days'), days: 6 },
  '30_days': { label: t('Last 30 days'), days: 29 },
  '90_days': { label: t('Last 90 days'), days: 89 },
}

const actions = [
  { value: 'created', label: t('Created') },
  { value: 'updated', label: t('Changed') },
  { value: 'deleted', label: t('Deleted') },
  { value: 'restored', label: t('Restored') },
]

/** The ways by which changes come, as people know them. */
const ways: { [source: string]: string } = {
  application: t('Workspace'),
  integration: t('App'),
  mcp: t('Assistant'),
  import: t('Import'),
  job: t('Automation'),
}

/** Who did what, when and by which way, field by field. */
export default function Activity() {
  usePageTitle(t('Activity'))
  const session = useSession()
  const mayRead = levelOf(session, 'activity', 'read') !== 'none'
  const { view } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const shown = view === 'customers' ? 'customers' : 'log'
  return (
    <div className={insight.page}>
      <PageHeader
        title={t('Activity')}
        note={isNarrow ? undefined : t('every change, never edited')}
        actions={
          mayRead && levelOf(session, 'accounts', 'read') !== 'none' ? (
            <SegmentedControl
              label={t('What is looked at')}
              value={shown}
              options={[
                { value: 'log', label: t('Log') },
                { value: 'customers', label: t('Customers') },
              ]}
              onChange={(next) =>
                void navigate({
                  to: '/activity',
                  search: (next === 'log' ? {} : { view: next }) as never,
                })
              }
            />
          ) : undefined
        }
      />
      {mayRead ? (
        shown === 'customers' ? (
          <Customers />
        ) : (
          <Log />
        )
      ) : (
        <Empty icon="activity" title={t('You may not see the activity of others')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      )}
    </div>
  )
}

function Log() {
  const { timezone } = useFormat()
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const asked = filtersOf(search, today(timezone))
  const query = useInfiniteQuery(activityQuery(asked))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const change = (next: Search) => {
    const all = Object.entries({ ...search, ...next }).filter(([, value]) => value)
    void navigate({ to: '/activity', search: Object.fromEntries(all), replace: true })
  }
  const entries = data?.pages.flatMap((page) => page.results) ?? []
  const list = useRef<HTMLDivElement>(null)
  /** Puts the focus on the next entry, or the one before. */
  const step = (by: 1 | -1) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
    const at = all.findIndex((each) => each.contains(document.activeElement))
    all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))]?.focus()
  }
  useShortcuts([
    { keys: 'j', label: t('Next entry'), group: t('Activity'), run: () => step(1) },
    { keys: 'k', label: t('Previous entry'), group: t('Activity'), run: () => step(-1) },
    { keys: 'Enter', label: t('Show what was changed'), group: t('Activity') },
  ])
  const saving = async () => {
    const { exportLog } = await import('./edit/export-log.ts')
    if (await exportLog(asked))
      notify({ message: t('Only the newest 5,000 entries are in the file: choose a shorter time') })
  }
  const fresh = useNewer(asked, entries[0])
  return (
    <>
      <Filters
        search={search}
        recordName={entries.find(({ record }) => record?.id === search.record)?.record?.name}
        onChange={change}
        onExport={() => void saving().catch(notifyRefusal)}
      />
      <div ref={list} className={styles.scroll}>
        {fresh ? (
          <p className={styles.fresh}>
            <Button size="small" variant="primary" onClick={() => void refetch()}>
              {t('{number} new | {number} new', {
                number: fresh,
                count: Number.parseInt(fresh, 10),
              })}
            </Button>
          </p>
        ) : null}
        {error && !data ? (
          <ReadFault title={t('The activity could not be read')} error={error} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows count={10} />
        ) : entries.length ? (
          <Days entries={entries} onOnly={change} />
        ) : (
          <Empty
            icon="activity"
            title={
              Object.keys(search).length ? t('Nothing of this kind') : t('Nothing happened yet')
            }
            action={
              Object.keys(search).length ? (
                <Button onClick={() => void navigate({ to: '/activity', search: {} })}>
                  {t('Clear filters')}
                </Button>
              ) : undefined
            }
          >
            {t('What people, apps and automations change appears here.')}
          </Empty>
        )}
        {hasNextPage ? (
          <Button variant="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Show earlier')}
          </Button>
        ) : null}
      </div>
    </>
  )
}

/** How often it is asked for newer entries, in milliseconds. */
const everyMs = 20_000

/** How many entries are newer than the first that is shown; nothing where it is the newest. */
function useNewer(filters: ActivityFilters, first: ActivityEntry | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['activity', 'newest', filters],
    queryFn: async ({ signal }) =>
      (await api.get('/api/activity/feed/', { query: { ...filters, limit: 20 }, signal })).data
        .results,
    enabled: first !== undefined,
    refetchInterval: everyMs,
    staleTime: 0,
  })
  if (!data || !first) return undefined
  // the entries may have been read since
  const at = data.findIndex((each) => each.log_id === first.log_id || each.at < first.at)
  if (at >= 0) return at ? String(at) : undefined
  return data.length === 20 ? '20+' : undefined
}

/** What the address asks for. */
function filtersOf(
  { range, from, to, person, module, action, source, record, field, q }: Search,
  now: string,
) {
  const back = range ? ranges[range] : undefined
  const day = /^\d{4}-\d\d-\d\d$/
  return {
    ...(back
      ? { from: addDays(now, -back.days) }
      : {
          ...(from && day.test(from) ? { from } : {}),
          ...(to && day.test(to) ? { to } : {}),
        }),
    ...(person ? { created_by: person } : {}),
    ...(module ? { module } : {}),
    ...(actions.some(({ value }) => value === action) ? { action } : {}),
    ...(source && Object.hasOwn(ways, source) ? { source } : {}),
    ...(module && record ? { reference_id: record } : {}),
    ...(module && field ? { field } : {}),
    ...(q?.trim() ? { q: q.trim().slice(0, 200) } : {}),
  } as ActivityFilters
}

type FiltersProps = {
  search: Search
  /** the name of the record that alone is shown */
  recordName: string | undefined
  onChange: (next: Search) => void
  onExport: () => void
}

function Filters({ search, recordName, onChange, onExport }: FiltersProps) {
  const { data: modules = [] } = useQuery(modulesQuery)
  const choice = (
    name: keyof Search,
    label: string,
    all: string,
    options: { value: string; label: string }[],
  ) => (
    <Choice
      label={label}
      className={insight.choice}
      placeholder={all}
      clearable
      value={search[name] ?? null}
      options={options}
      onChange={(value) => onChange({ [name]: value ?? '' })}
    />
  )
  const { data: module } = useQuery({
    ...moduleQuery(search.module ?? ''),
    enabled: modules.some((each) => each.module === search.module),
  })
  const fields = (module?.fields ?? []).map(({ name, label }) => ({ value: name, label }))
  const timeOptions = Object.entries(ranges).map(([value, { label }]) => ({ value, label }))
  const wayOptions = Object.entries(ways).map(([value, label]) => ({ value, label }))
  return (
    <Toolbar label={t('What is shown')} wrap>
      <SearchField words={t('the log')} value={search.q ?? ''} onChange={(q) => onChange({ q })} />
      {choice('range', t('Time [period]'), t('Time: all'), timeOptions)}
      <PersonFilter
        id={search.person ?? null}
        className={insight.choice}
        onChange={(person) => onChange({ person: person ?? '' })}
      />
      <Choice
        label={t('Kind of record')}
        className={insight.choice}
        placeholder={t('Records: all')}
        clearable
        value={search.module ?? null}
        options={modules.map(({ module: value, word }) => ({ value, label: capital(word.many) }))}
        // fields and records of another kind mean nothing here
        onChange={(next) => onChange({ module: next ?? '', field: '', record: '' })}
      />
      {module ? choice('field', t('Field'), t('Fields: all'), fields) : null}
      {search.record ? (
        <Button icon="x" onClick={() => onChange({ record: '' })}>
          {t('Only {name}', { name: recordName ?? t('this record') })}
        </Button>
      ) : null}
      {choice('action', t('What'), t('What: anything'), actions)}
      {choice('source', t('Came by'), t('Came by: any way'), wayOptions)}
      <ToolbarSpace />
      <Button icon="download" onClick={onExport}>
        {t('CSV')}
      </Button>
    </Toolbar>
  )
}

type Only = { onOnly: (next: Search) => void }

function Days({ entries, onOnly }: Only & { entries: ActivityEntry[] }) {
  const format = useFormat()
  return daysOf(entries, format).map(({ day, label, entries: its }) => (
    <section key={day} className={styles.day}>
      <h2>{label}</h2>
      <ol>
        {its.map((entry) => (
          <Entry key={entry.log_id} entry={entry} onOnly={onOnly} />
        ))}
      </ol>
    </section>
  ))
}

function Entry({ entry, onOnly }: Only & { entry: ActivityEntry }) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { at, actor, changes, source, record } = entry
  const module = record && moduleOf(record.type)
  // of what was created there is nothing before
  const isUpdate = module && changes.length > 0 && entry.action === 'updated'
  return (
    <li
      className={styles.entry}
      tabIndex={-1}
      data-entry
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget || !changes.length) return
        event.preventDefault()
        setOpen(!isOpen)
      }}
    >
      <time dateTime={at} title={instant(at, format)}>
        {clock(at, format)}
      </time>
      {actor.full_name ? (
        <Avatar name={actor.full_name} size={22} />
      ) : (
        <span className={styles.service}>
          <Icon name="leaf" />
        </span>
      )}
      <p>
        <Sentence entry={entry} />
      </p>
      <span className={styles.way}>{ways[source] ?? capital(source)}</span>
      {changes.length ? (
        <Button
          size="small"
          variant="quiet"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('{count} change | {count} changes', { count: changes.length })}
        </Button>
      ) : (
        <span />
      )}
      {isOpen ? (
        <div className={styles.opened}>
          <Changes
            of={changes}
            onField={module ? (field) => onOnly({ module, field, record: '' }) : undefined}
          />
          {isUpdate ? <TakeBack entry={entry} /> : null}
          {record && module ? (
            <Button
              size="small"
              variant="quiet"
              icon="filter"
              onClick={() => onOnly({ module, record: record.id, field: '' })}
            >
              {t('Only this record')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

type ChangesProps = {
  of: ActivityEntry['changes']
  /** shows what changed the same field */
  onField: ((field: string) => void) | undefined
}

/** What was changed, field by field: of long texts the words. */
function Changes({ of, onField }: ChangesProps) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          <th scope="col">{t('Before [change]')}</th>
          <th scope="col">{t('After [change]')}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ field, label, from, to }, at) => (
          <tr key={at}>
            <th scope="row">
              {onField ? (
                <button
                  type="button"
                  className={styles.field}
                  title={t('Only changes of this field')}
                  onClick={() => onField(field)}
                >
                  {capital(label)}
                </button>
              ) : (
                capital(label)
              )}
            </th>
            {from && to && (isLong(from) || isLong(to)) ? (
              <td colSpan={2}>
                <TextChange before={from} after={to} />
              </td>
            ) : (
              <>
                <td className={styles.before}>{valueWords(from)}</td>
                <td>{valueWords(to)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** More characters than these are read as what is different. */
const mostShown = 80

function isLong(value: string): boolean {
  return value.length > mostShown
}

/** The words of a long text that are gone and new, with a few around them until all are asked for. */
function TextChange({ before, after }: { before: string; after: string }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <span className={styles.text}>
        <ChangedWords {...{ before, after }} around={isWhole ? undefined : 6} />
      </span>
      <Button
        size="small"
        variant="quiet"
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? t('Show less') : t('Show all')}
      </Button>
    </>
  )
}

/** A value in words; the log has none for what is long, or has no name that the reader may see. */
function valueWords(value: string | null): string {
  if (value === null) return t('Not shown here')
  return value || t('Empty')
}
