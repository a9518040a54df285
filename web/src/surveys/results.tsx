import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { signed } from '../data/health-words.ts'
import { keys } from '../data/keys.ts'
import { idOf } from '../data/record.ts'
import { useIsExternal, useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { number, percent, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later } from '../records/later.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { Figure } from '../ui/figures.tsx'
import { Figures } from '../ui/figures.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AnswerValue, answerText } from '../records/answers/answer-value.tsx'
import { Counts } from './charts.tsx'
import type { ResultFilters } from './results/place.ts'
import { answersWith, cleared, filtersOf, useResultPlace } from './results/place.ts'
import styles from './results.module.css'
import list from './surveys.module.css'
import type { Structure } from './structure.ts'
import { scaleOf } from '../records/answers/scale.ts'
import { typeWords } from './structure.ts'
import { t } from '../locales/text.ts'

// menus, days and people to choose weigh more than what is read below them
const ResultsFilters = later(() => import('./results/filters.tsx'))
const NpsTrend = later(() => import('./results/nps-trend.tsx'))
const ShareResults = later(() => import('./results/share-results.tsx'))
const Analysis = later(() => import('./results/analysis.tsx'))

type Insights = components['schemas']['SurveyInsights']
type Question = components['schemas']['SurveyQuestionInsights']
type Response = components['schemas']['SurveyResponse']

/** How many of the latest answers in words are shown at first, and how many are read. */
const fewest = 5
const latest = 50

/** What was answered: the totals, then each question with a chart or its latest answers in words. */
export default function Results(props: SectionProps) {
  if (!useIsExternal()) return <Insights {...props} />
  return (
    <Empty small icon="smile" title={t('The results are for the team')}>
      {t('What you answered is with the people who asked.')}
    </Empty>
  )
}

function Insights({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const format = useFormat()
  const mayUpdate = useMayOf('surveys', record, 'update')
  const [isSharing, setSharing] = useState(false)
  const [place, change] = useResultPlace()
  const filters = filtersOf(place)
  const unit = place.unit ?? 'month'
  const compare = place.compare && place.since ? { compare: 'previous' as const } : {}
  const query = { ...filters, ...compare, unit } as never
  const read = useQuery({
    queryKey: [...keys.record('surveys', id), 'insights', query],
    queryFn: async () => {
      const { data } = await api.get('/api/surveys/{id}/insights/', { path: { id }, query })
      return data.insights
    },
    // the numbers before stand until the new ones are there
    placeholderData: keepPreviousData,
  })
  const { pages, version = 1 } = (record.form_structure ?? {}) as Structure & { version?: number }
  const fields = pages?.flatMap((page) => page.fields ?? [])
  const insights = read.data
  if (!insights) {
    if (read.isPending) return <SkeletonRows count={4} />
    return (
      <ReadFault
        small
        title={t('The results could not be read')}
        error={read.error}
        onRetry={read.refetch}
      />
    )
  }
  const isFiltered = Object.keys(filters).length > 0
  if (!insights.total_responses && !isFiltered) return <NoAnswers />
  const exported = new URLSearchParams(filters as { [name: string]: string }).toString()
  return (
    <div className={styles.results} aria-busy={read.isPlaceholderData || undefined}>
      <div className={styles.asked}>
        <ResultsFilters
          survey={id}
          versions={version}
          questions={insights.questions}
          place={place}
          onChange={change}
        />
      </div>
      {read.error ? (
        <ReadFault
          small
          title={t('The results could not be read')}
          error={read.error}
          onRetry={read.refetch}
        />
      ) : null}
      <Figures of={totals(insights, format)}>
        <ButtonLink
          size="small"
          icon="download"
          href={`/api/surveys/${id}/responses/export/${exported ? `?${exported}` : ''}`}
          download
        >
          {t('Export as CSV')}
        </ButtonLink>
        <ButtonLink
          size="small"
          variant="quiet"
          icon="download"
          href={`/api/surveys/${id}/responses/export/?${new URLSearchParams({ ...(filters as object), format: 'xlsx' })}`}
          download
        >
          {t('As Excel file')}
        </ButtonLink>
        {mayUpdate ? (
          <Button size="small" icon="link" onClick={() => setSharing(true)}>
            {t('Share the results')}
          </Button>
        ) : null}
      </Figures>
      {isSharing ? (
        <ShareResults survey={id} filters={filters} onClose={() => setSharing(false)} />
      ) : null}
      {insights.total_responses ? (
        <>
          {insights.nps_trend.length > 1 || place.unit ? (
            <NpsTrend
              of={insights.nps_trend}
              unit={unit}
              onUnit={(next) => change({ unit: next === 'month' ? '' : next })}
            />
          ) : null}
          <ol className={styles.questions}>
            {insights.questions.map((question) => {
              const field = fields?.find((each) => each.id === question.field_id)
              return (
                <li key={question.field_id} className={styles.question}>
                  <h2>{question.label}</h2>
                  <p className={styles.about}>{about(question, format)}</p>
                  <Answers
                    survey={id}
                    filters={filters}
                    question={question}
                    scale={scaleOf(question.type, field)}
                    toOf={(value) => {
                      const answers = answersWith(place.answers, question.field_id, value)
                      return `?${new URLSearchParams({ ...place, answers })}`
                    }}
                    onOpen={(to) =>
                      change({ answers: new URLSearchParams(to).get('answers') ?? '' })
                    }
                  />
                </li>
              )
            })}
          </ol>
          <Analysis survey={id} filters={filters} questions={insights.questions} />
        </>
      ) : (
        <Empty
          small
          icon="smile"
          title={t('No answers match')}
          action={<Button onClick={() => change(cleared)}>{t('Clear filters')}</Button>}
        />
      )}
    </div>
  )
}

function NoAnswers() {
  return (
    <Empty small icon="smile" title={t('No answers yet')}>
      {t('Results are shown here once somebody has answered.')}
    </Empty>
  )
}

function totals(insights: Insights, format: ReturnType<typeof useFormat>): Figure[] {
  const { finished_responses, partial_responses, completion_rate, nps, csat, sent, opened } =
    insights
  const { previous, nps_low, nps_high, median_seconds } = insights
  const before = (value: number | null | undefined, show: (value: number) => string) =>
    previous && value !== null && value !== undefined
      ? t('before {value}', { value: show(value) })
      : undefined
  const count = (value: number) => number(value, format)
  const whole = (value: number) => percent(Math.round(value), format)
  // of a few answers it would span nearly everything
  const band =
    nps_low === undefined || nps_high === undefined || finished_responses < fewest
      ? undefined
      : t('likely {low} to {high}', { low: signed(nps_low), high: signed(nps_high) })
  const noted = (...notes: (string | undefined)[]) => notes.filter(Boolean).join(' · ') || undefined
  return [
    ...(sent
      ? [
          { label: t('Sent'), value: count(sent), note: before(previous?.sent, count) },
          { label: t('Opened'), value: count(opened ?? 0), note: before(previous?.opened, count) },
        ]
      : []),
    {
      label: t('Finished'),
      value: count(finished_responses),
      note: before(previous?.finished_responses, count),
    },
    { label: t('Only begun'), value: count(partial_responses) },
    {
      label: t('Completion'),
      value: whole(completion_rate),
      note: before(previous?.completion_rate, whole),
    },
    ...(nps === null
      ? []
      : [
          {
            label: t('Net promoter score'),
            value: signed(nps),
            note: noted(before(previous?.nps, signed), band),
          },
        ]),
    ...(csat === null
      ? []
      : [{ label: t('Satisfied'), value: whole(csat), note: before(previous?.csat, whole) }]),
    ...(median_seconds === null
      ? []
      : [{ label: t('Time taken'), value: lengthOf(median_seconds), note: t('median') }]),
  ]
}

/** A length of time to the second: "1 min 52 s". */
function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  if (!minutes) return t('{seconds} s', { seconds: rest })
  return t('{minutes} min {seconds} s', { minutes, seconds: rest })
}

/** The type of a question, how many answered it, its average, and how many went no further. */
function about(question: Question, format: ReturnType<typeof useFormat>): string {
  const { type, answered, average, stopped } = question
  return [
    typeWords(type),
    t('1 answer | {answered} answers', { answered: number(answered, format), count: answered }),
    average === null ? null : t('average {average}', { average: number(average, format) }),
    stopped
      ? t('{count} stopped after it | {count} stopped after it', {
          count: stopped,
        })
      : null,
  ]
    .filter(Boolean)
    .join(' · ')
}

type AnswersProps = {
  survey: string
  filters: ResultFilters
  question: Question
  scale: number[] | undefined
  /** the results of an answer alone; a list of one means that it is one of several */
  toOf: (value: unknown) => string
  onOpen: (to: string) => void
}

function Answers({ survey, filters, question, scale, toOf, onOpen }: AnswersProps) {
  const format = useFormat()
  const { type, label, distribution, rows, answered } = question
  if (!answered) return null
  if (scale)
    return (
      <Counts
        isScale
        label={label}
        total={answered}
        toOf={toOf}
        onOpen={onOpen}
        finding={type === 'nps' ? sharesOf(question, format) : undefined}
        of={scale.map((value) => ({
          value,
          label: String(value),
          count: distribution.find((each) => each.value === value)?.count ?? 0,
        }))}
      />
    )
  if (rows)
    return rows.map((row) => (
      <section key={row.value}>
        <h3>{row.label}</h3>
        <Counts label={`${label}, ${row.label}`} of={row.distribution} total={answered} />
      </section>
    ))
  if (type === 'consent' || type === 'yes-no') {
    const [yes, no] = type === 'consent' ? [t('Agreed'), t('Not agreed')] : [t('Yes'), t('No')]
    return (
      <Counts
        label={label}
        toOf={toOf}
        onOpen={onOpen}
        of={distribution.map(({ value, count }) => ({
          value,
          label: value ? yes : no,
          count,
        }))}
        total={answered}
      />
    )
  }
  if (type === 'ranking') return <Ranking of={distribution} />
  if (!distribution.length) {
    return <Texts survey={survey} filters={filters} question={question} />
  }
  const to = (value: unknown) => toOf(type === 'multi-select' ? [value] : value)
  return <Counts label={label} of={distribution} total={answered} toOf={to} onOpen={onOpen} />
}

/** The groups of a net promoter score in words. */
function sharesOf(
  { promoters, passives, detractors }: Question,
  format: ReturnType<typeof useFormat>,
): string {
  const share = (value: number | null | undefined) => percent(Math.round(value ?? 0), format)
  return t('Promoters {promoters}, passives {passives}, detractors {detractors}', {
    promoters: share(promoters),
    passives: share(passives),
    detractors: share(detractors),
  })
}

/** The choices of a ranking, the best mean position first. */
function Ranking({ of }: { of: Question['distribution'] }) {
  const format = useFormat()
  const ranked = of.flatMap(({ label, average_rank: rank }) =>
    rank === undefined ? [] : [{ label, rank }],
  )
  return (
    <ol className={list.page}>
      {ranked
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ label, rank }) => (
          <li key={label}>
            <span>{label}</span>
            <small>{t('mean position {rank}', { rank: number(rank, format) })}</small>
          </li>
        ))}
    </ol>
  )
}

/** The latest answers to a question in words, with who gave them. */
type TextsProps = { survey: string; filters: ResultFilters; question: Question }

function Texts({ survey, filters, question }: TextsProps) {
  const { field_id: field } = question
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const read = useQuery({
    queryKey: [...keys.record('surveys', survey), 'responses', filters],
    queryFn: async () => {
      const query = { ...filters, page: 1, items_per_page: latest } as never
      return (await api.get('/api/surveys/{id}/responses/', { path: { id: survey }, query })).data
    },
  })
  if (read.isPending) return <SkeletonRows count={2} />
  if (read.error)
    return (
      <ReadFault
        small
        title={t('The answers could not be read')}
        error={read.error}
        onRetry={read.refetch}
      />
    )
  const answers = read.data.filter(({ answers: own }) => answerText(question, own[field]))
  const shown = isWhole ? answers : answers.slice(0, fewest)
  return (
    <>
      <ul className={styles.texts}>
        {shown.map((response) => (
          <li key={response.response_id}>
            <div dir="auto">
              <AnswerValue question={question} value={response.answers[field]} />
            </div>
            <small>
              <AnswerLink survey={survey} response={response.response_id} filters={filters}>
                {response.respondent_email ?? t('Anonymous')}
              </AnswerLink>{' '}
              · {relative(timeOf(response), format)}
            </small>
          </li>
        ))}
      </ul>
      {shown.length < answers.length ? (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          {t('Show {count} more', { count: answers.length - shown.length })}
        </Button>
      ) : null}
    </>
  )
}

type AnswerLinkProps = {
  survey: string
  response: string
  filters: ResultFilters
  children: ReactNode
}

/** A link to one answer among the others. */
function AnswerLink({ survey, response, filters, children }: AnswerLinkProps) {
  return (
    <Link to={`/surveys/${survey}/responses` as string} search={{ ...filters, response } as never}>
      {children}
    </Link>
  )
}

function timeOf({ finished_at, creation_time }: Response): string {
  return finished_at ?? creation_time
}
