import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { figuresQuery } from '../data/figures.ts'
import type { Clause } from '../data/list.ts'
import type { Module } from '../data/modules.ts'
import { levelOf, useMay, useSession } from '../data/session.ts'
import type { View } from '../data/views.ts'
import { changeView, reportsQuery } from '../data/views.ts'
import { later } from '../records/later.tsx'
import type { Screens } from '../records/definition.ts'
import { useFormat } from '../records/field/use-format.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { AddToDashboard } from './add-to-dashboard.tsx'
import insight from './insight.module.css'
import { ModuleChoice, QuestionForm } from './report/form.tsx'
import { gridOf } from './report/grid.ts'
import { lists } from './report/lists.ts'
import { useGroupedModule } from './report/grouped-module.ts'
import type { Question } from './report/address.ts'
import { questionIn } from './report/address.ts'
import { askedOf, chartOf, reportOf, searchOf } from './report/question.ts'
import styles from './report/report.module.css'
import { nextCurrency } from './report/other-currencies.tsx'
import { Result } from './report/result.tsx'
import type { CountedName } from '../data/counted.ts'
import { countedReports, mayCount, shipped } from './report/shipped.ts'
import { t } from '../locales/text.ts'

const SaveView = later(() => import('../records/views/save-view.tsx'))
const ReportMenu = later(() => import('./edit/report-menu.tsx'))

/** Questions about any list: where to start, or the one that the address asks. */
export default function Reports() {
  usePageTitle(t('Reports'))
  const question = questionIn(useSearch({ strict: false }))
  const session = useSession()
  const screens = lists.of(question.of)
  if (!question.of || !screens) return <Starts />
  if (levelOf(session, screens.module, 'read') === 'none') {
    return (
      <div className={insight.page}>
        <PageHeader title={t('Reports')} />
        <Empty icon="chart" title={t('You may not see these records')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      </div>
    )
  }
  return <Explorer key={question.report ?? question.of} question={question} screens={screens} />
}

/** The reports that come with the product, those that were saved, and a new one. */
function Starts() {
  const navigate = useNavigate()
  const known = lists.useKnown()
  const { data: saved = [] } = useQuery({
    ...reportsQuery,
    enabled: useMay('filters', 'read'),
  })
  const mayRead = (question: Question) => known.some(({ module }) => module === question.of)
  const session = useSession()
  const counted = Object.entries(countedReports).filter(([report]) =>
    mayCount(session, report as CountedName),
  )
  const hasTasks = known.some(({ module }) => module === 'tasks')
  return (
    <div className={insight.page}>
      <PageHeader title={t('Reports')} note={t('questions about any list')} />
      <div className={styles.starts}>
        <section className={styles.new}>
          <h2>{t('New report')}</h2>
          <ModuleChoice
            of={undefined}
            onChange={(of) => void navigate({ to: '/reports', search: { of } as never })}
          />
        </section>
        {saved.length ? (
          <section>
            <h2>{t('Saved')}</h2>
            <ul>
              {saved.map((view) => (
                <li key={view.filter_id}>
                  <Start name={view.name} note={view.created_by?.full_name} to={searchOf(view)}>
                    {view.visibility === 'private' ? <Icon name="lock" size={12} /> : null}
                  </Start>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <section>
          <h2>{t('Shipped')}</h2>
          <ul>
            {shipped
              .filter(({ question }) => mayRead(question))
              .map(({ name, note, question }) => (
                <li key={name}>
                  <Start name={name} note={note} to={question} />
                </li>
              ))}
            {counted.map(([report, { name, note }]) => (
              <li key={report}>
                <Link to="/reports/$report" params={{ report }} className={styles.start}>
                  <b>{name}</b>
                  <span>{note}</span>
                </Link>
              </li>
            ))}
            {known.some(({ module }) => module === 'projects') ? (
              <li>
                <Link to="/projects" search={{ as: 'load' } as never} className={styles.start}>
                  <b>{t('Load of people')}</b>
                  <span>
                    {t('Hours of planned work by person and week, beside what they can do')}
                  </span>
                </Link>
              </li>
            ) : null}
            {hasTasks ? (
              <li>
                <Link to="/time" className={styles.start}>
                  <b>{t('Time by person and project')}</b>
                  <span>{t('Hours of each week, with the days behind them')}</span>
                </Link>
              </li>
            ) : null}
          </ul>
        </section>
      </div>
    </div>
  )
}

type StartProps = {
  name: string
  note?: string | undefined
  to: Question
  children?: React.ReactNode
}

function Start({ name, note, to, children }: StartProps) {
  return (
    <Link to="/reports" search={to as never} className={styles.start}>
      <b>
        {name} {children}
      </b>
      <span>{note}</span>
    </Link>
  )
}

type ExplorerProps = { question: Question; screens: Screens }

function Explorer({ question, screens }: ExplorerProps) {
  const { module, error, refetch } = useGroupedModule(screens.module)
  const navigate = useNavigate()
  const change = (next: Partial<Question>) => {
    const all = Object.entries({ ...question, ...next }).filter(([, value]) => value !== undefined)
    void navigate({ to: '/reports', search: Object.fromEntries(all) as never, replace: true })
  }
  const { data: saved = [] } = useQuery({ ...reportsQuery, enabled: Boolean(question.report) })
  const view = saved.find(({ filter_id }) => filter_id === question.report)
  const start = shipped.find((each) => isSame(each.question, question))
  const title = view?.name ?? start?.name ?? t('New report')
  return (
    <div className={insight.page}>
      <PageHeader
        title={title}
        before={
          <>
            <Link to="/reports" search={{} as never}>
              {t('Reports')}
            </Link>
            <span aria-hidden="true">/</span>
          </>
        }
        actions={module ? <Saving {...{ question, view, module }} /> : null}
        focusKey={question.report ?? question.of ?? ''}
      />
      {error ? (
        <ReadFault title={t('The report could not be read')} error={error} onRetry={refetch} />
      ) : module ? (
        <Answer {...{ module, screens, question, title }} onChange={change} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </div>
  )
}

type SavingProps = { question: Question; view: View | undefined; module: Module }

/** Keeps the question: in the report that is open, or as a new one with a name and who sees it. */
function Saving({ question, view, module }: SavingProps) {
  const navigate = useNavigate()
  const mayCreate = useMay('filters', 'create')
  const { user } = useSession()
  const [isSaving, setSaving] = useState(false)
  const content = {
    conditions: question.f ?? [],
    columns: [],
    sort: null,
    layout: 'report' as const,
    report: reportOf(module, question),
  }
  const isMine = view && (view.created_by?.user_id === user.user_id || view.can?.update === true)
  const differs = view && !isSame(searchOf(view), question)
  return (
    <>
      {view && isMine && differs ? (
        <Button onClick={() => void changeView(view, content).catch(notifyRefusal)}>
          {t('Save changes')}
        </Button>
      ) : null}
      {mayCreate && question.by ? (
        <Button variant={view ? 'secondary' : 'primary'} onClick={() => setSaving(true)}>
          {view ? t('Save as new…') : t('Save report…')}
        </Button>
      ) : null}
      {view && !differs ? (
        <AddToDashboard
          name={view.name}
          module={view.module}
          config={{ report_id: view.filter_id }}
        />
      ) : null}
      {view ? <ReportMenu view={view} content={content} isMine={isMine === true} /> : null}
      {isSaving ? (
        <SaveView
          module={module.module}
          content={content}
          onClose={() => setSaving(false)}
          onSaved={(made) => {
            setSaving(false)
            if (made) void navigate({ to: '/reports', search: searchOf(made) as never })
          }}
        />
      ) : null}
    </>
  )
}

/** Whether two addresses ask the same. */
function isSame(one: Question, other: Question): boolean {
  const text = (question: Question) =>
    JSON.stringify(
      Object.entries(question)
        .filter(([, value]) => value !== undefined)
        .toSorted(([a], [b]) => a.localeCompare(b, 'en')),
    )
  return text(one) === text(other)
}

type AnswerProps = {
  module: Module
  screens: Screens
  question: Question
  title: string
  onChange: (next: Partial<Question>) => void
}

function Answer({ module, screens, question, title, onChange }: AnswerProps) {
  const format = useFormat()
  const asked = askedOf(module, question)
  const filter: Clause[] = question.f ?? []
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...figuresQuery(module, {
      ...(asked ?? { by: '', measures: '' }),
      ...(filter.length ? { filter } : {}),
      ...(screens.only ? { more: screens.only } : {}),
    }),
    enabled: asked !== undefined,
  })
  const grid = data && asked ? gridOf(data, asked, question.in, format.currency) : undefined
  const isNarrow = useNarrow()
  // on a phone the answer stands first, and the question is folded unless it is not asked yet
  const [isOpen] = useState(!question.by)
  const form = (
    <QuestionForm
      {...{ module, question, onChange }}
      currencies={grid?.currencies ?? []}
      currency={grid?.currency ?? null}
    />
  )
  return (
    <div className={styles.body}>
      {isNarrow ? (
        <details className={styles.folded} open={isOpen}>
          <summary>{t('Change the question')}</summary>
          {form}
        </details>
      ) : (
        form
      )}
      <div className={styles.pane}>
        {!asked ? (
          <Empty icon="chart" title={t('Choose what the records are grouped by')}>
            {t('By a field, or by the days, weeks, months or quarters of a date.')}
          </Empty>
        ) : error ? (
          <ReadFault title={t('The report could not be read')} error={error} onRetry={refetch} />
        ) : data && grid ? (
          <Result
            {...{ grid, asked, module, screens, filter }}
            chart={chartOf(question)}
            total={data.total}
            leftOut={data.left_out}
            isStale={isPlaceholderData}
            name={title}
            onCurrency={() => onChange({ in: nextCurrency(grid.currencies, grid.currency) })}
          />
        ) : (
          <SkeletonRows count={8} />
        )}
      </div>
    </div>
  )
}
