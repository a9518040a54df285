import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { signed } from '../data/health-words.ts'
import { keys } from '../data/keys.ts'
import { idOf } from '../data/record.ts'
import { useIsExternal } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { number, percent, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Figures } from '../ui/figures.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Counts } from './charts.tsx'
import styles from './results.module.css'
import list from './surveys.module.css'
import type { Structure } from './structure.ts'
import { scaleOf, typeWords } from './structure.ts'
import { t } from '../locales/text.ts'

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
  const read = useQuery({
    queryKey: [...keys.record('surveys', id), 'insights'],
    queryFn: async () => {
      const { data } = await api.get('/api/surveys/{id}/insights/', { path: { id } })
      return data.insights
    },
  })
  if (read.isPending) return <SkeletonRows count={4} />
  if (read.error)
    return (
      <ReadFault
        small
        title={t('The results could not be read')}
        error={read.error}
        onRetry={read.refetch}
      />
    )
  const insights = read.data
  if (!insights.total_responses)
    return (
      <Empty small icon="smile" title={t('No answers yet')}>
        {t('Results are shown here once somebody has answered.')}
      </Empty>
    )
  const fields = ((record.form_structure ?? {}) as Structure).pages?.flatMap(
    (page) => page.fields ?? [],
  )
  return (
    <div className={styles.results}>
      <Figures of={totals(insights, format)}>
        <ButtonLink
          size="small"
          icon="download"
          href={`/api/surveys/${id}/responses/export/`}
          download
        >
          {t('Export as CSV')}
        </ButtonLink>
      </Figures>
      <ol>
        {insights.questions.map((question) => {
          const field = fields?.find((each) => each.id === question.field_id)
          return (
            <li key={question.field_id} className={styles.question}>
              <h2>{question.label}</h2>
              <p className={styles.about}>{about(question, format)}</p>
              <Answers survey={id} question={question} scale={scaleOf(question.type, field)} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function totals(insights: Insights, format: ReturnType<typeof useFormat>) {
  const { finished_responses, partial_responses, completion_rate, nps, csat } = insights
  return [
    { label: t('Finished'), value: number(finished_responses, format) },
    { label: t('Only begun'), value: number(partial_responses, format) },
    { label: t('Completion'), value: percent(Math.round(completion_rate), format) },
    ...(nps === null ? [] : [{ label: t('Net promoter score'), value: signed(nps) }]),
    ...(csat === null ? [] : [{ label: t('Satisfied'), value: percent(Math.round(csat), format) }]),
  ]
}

/** The type of a question, how many answered it, and its average. */
function about(question: Question, format: ReturnType<typeof useFormat>): string {
  const { type, answered, average } = question
  return [
    typeWords(type),
    t('1 answer | {answered} answers', { answered: number(answered, format), count: answered }),
    average === null ? null : t('average {average}', { average: number(average, format) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Answers({
  survey,
  question,
  scale,
}: {
  survey: string
  question: Question
  scale: number[] | undefined
}) {
  const format = useFormat()
  const { type, label, distribution, rows, answered } = question
  if (!answered) return null
  if (scale)
    return (
      <Counts
        isScale
        label={label}
        total={answered}
        finding={type === 'nps' ? sharesOf(question, format) : undefined}
        of={scale.map((value) => ({
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
  if (type === 'consent')
    return (
      <Counts
        label={label}
        of={distribution.map(({ value, count }) => ({
          label: value ? t('Agreed') : t('Not agreed'),
          count,
        }))}
        total={answered}
      />
    )
  if (type === 'ranking') return <Ranking of={distribution} />
  return distribution.length ? (
    <Counts label={label} of={distribution} total={answered} />
  ) : (
    <Texts survey={survey} field={question.field_id} />
  )
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
function Texts({ survey, field }: { survey: string; field: string }) {
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const read = useQuery({
    queryKey: [...keys.record('surveys', survey), 'responses'],
    queryFn: async () => {
      const query = { page: 1, items_per_page: latest }
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
  const answers = read.data.filter(({ answers: own }) => textOf(own[field]))
  const shown = isWhole ? answers : answers.slice(0, fewest)
  return (
    <>
      <ul className={styles.texts}>
        {shown.map((response) => (
          <li key={response.response_id}>
            <p dir="auto">{textOf(response.answers[field])}</p>
            <small>
              {response.respondent_email ?? t('Anonymous')} · {relative(timeOf(response), format)}
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

function timeOf({ finished_at, creation_time }: Response): string {
  return finished_at ?? creation_time
}

function textOf(answer: unknown): string {
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer).trim() : ''
}
