import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { signed } from '../../data/health-words.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { levelOf, useMay, useSession } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { number, shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import styles from '../results.module.css'
import { t } from '../../locales/text.ts'
import type { ResultFilters } from './place.ts'

type Insights = components['schemas']['SurveyQuestionInsights']
type Props = { survey: string; filters: ResultFilters; questions: Insights[] }
type Part = { survey: string; filters: ResultFilters }

/** What goes with the score, what texts are about, and two questions beside each other. */
export default function Analysis({ survey, filters, questions }: Props) {
  const isScored = questions.some(({ type }) => type === 'nps')
  const hasTexts = questions.some(({ type }) => type === 'short-text' || type === 'long-text')
  const comparable = questions.filter(
    ({ type, distribution }) => distribution.length && type !== 'matrix' && type !== 'ranking',
  )
  return (
    <>
      {isScored ? <ScoreGroups survey={survey} filters={filters} /> : null}
      {isScored && comparable.length > 1 ? <Drivers survey={survey} filters={filters} /> : null}
      {hasTexts ? <Themes survey={survey} filters={filters} /> : null}
      {comparable.length > 1 ? (
        <Cross survey={survey} filters={filters} questions={comparable} />
      ) : null}
    </>
  )
}

/** The score by account, owner or segment, of those who may read accounts. */
function ScoreGroups({ survey, filters }: Part) {
  const format = useFormat()
  const session = useSession()
  const [by, setBy] = useState<'owner' | 'segment' | 'account'>('owner')
  const [unit, setUnit] = useState<'day' | 'week' | 'month'>('month')
  const isAllowed = levelOf(session, 'accounts', 'read') !== 'none'
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.record('surveys', survey), 'score-groups', filters, by, unit],
    enabled: isAllowed,
    queryFn: async () =>
      (
        await api.get('/api/surveys/{id}/score-groups/', {
          path: { id: survey },
          query: { ...filters, by, unit } as never,
        })
      ).data,
  })
  if (!isAllowed) return null
  return (
    <section className={styles.question}>
      <div className={styles.titled}>
        <h2>{t('Score by account')}</h2>
        <SegmentedControl
          label={t('By')}
          value={by}
          options={[
            { value: 'owner', label: t('Owner') },
            { value: 'segment', label: t('Segment') },
            { value: 'account', label: t('Account') },
          ]}
          onChange={setBy}
        />
        <SegmentedControl
          label={t('Over time by')}
          value={unit}
          options={[
            { value: 'day', label: t('Day') },
            { value: 'week', label: t('Week') },
            { value: 'month', label: t('Month') },
          ]}
          onChange={setUnit}
        />
      </div>
      {error && !data ? (
        <ReadFault
          small
          title={t('This could not be computed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows count={3} />
      ) : data.groups.length ? (
        <Listed
          label={t('Score by account')}
          heads={[
            t('Name'),
            t('Promoters'),
            t('Passives'),
            t('Detractors'),
            t('Score'),
            t('Likely between'),
            t('Over time'),
          ]}
          rows={data.groups.map((group) => [
            group.label ?? t('None'),
            number(group.promoters, format),
            number(group.passives, format),
            number(group.detractors, format),
            signed(group.nps),
            t('{low} and {high}', { low: signed(group.nps_low), high: signed(group.nps_high) }),
            <Course key={group.key} of={group.trend ?? []} />,
          ])}
        />
      ) : (
        <p className={styles.about}>{t('No answer is about an account.')}</p>
      )}
    </section>
  )
}

/** The score of a group over time, as a line and in words. */
function Course({ of }: { of: components['schemas']['SurveyNpsOfPeriod'][] }) {
  const format = useFormat()
  const label = of
    .map(({ date, nps }) =>
      t('{day}: {score}', { day: shortDay(date, format), score: signed(nps) }),
    )
    .join(', ')
  if (of.length < 2) return <>–</>
  // the line is from 0, a score from -100
  return <Sparkline label={label} max={200} points={of.map(({ nps }) => nps + 100)} />
}

function Drivers({ survey, filters }: Part) {
  const format = useFormat()
  const read = useQuery({
    queryKey: [...keys.record('surveys', survey), 'drivers', filters],
    queryFn: async () =>
      (
        await api.get('/api/surveys/{id}/drivers/', {
          path: { id: survey },
          query: filters as never,
        })
      ).data,
  })
  return (
    <section className={styles.question}>
      <h2>{t('What moves the score')}</h2>
      <Known read={read} isEmpty={(data) => !data.drivers.length}>
        {(data) => (
          <Listed
            label={t('What moves the score')}
            heads={[t('Answer'), t('Answers'), t('Difference'), t('Likely between')]}
            rows={data.drivers.map(({ label, value_label, count, difference, low, high }) => [
              t('{question}: {answer}', { question: label, answer: value_label }),
              number(count, format),
              signed(difference),
              t('{low} and {high}', { low: signed(low), high: signed(high) }),
            ])}
          />
        )}
      </Known>
    </section>
  )
}

function Themes({ survey, filters }: Part) {
  const format = useFormat()
  const maySend = useMay('surveys', 'update')
  const place = { path: { id: survey }, query: filters as never }
  const queryKey = [...keys.record('surveys', survey), 'themes', filters]
  const read = useQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/surveys/{id}/themes/', place)).data,
    // until the model has answered
    refetchInterval: ({ state }) => (state.data?.is_model_asked ? 3000 : false),
  })
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { data } = await api.post('/api/surveys/{id}/themes/', place)
    queryClient.setQueryData(queryKey, data)
  })
  return (
    <section className={styles.question}>
      <h2>{t('What they write about')}</h2>
      <Known read={read} isEmpty={(data) => !data.themes.length}>
        {(data) => (
          <>
            <Listed
              label={t('What they write about')}
              heads={[t('Words'), t('Texts'), t('Score'), t('One of them')]}
              rows={data.themes.map(({ label, count, nps, examples }) => [
                label,
                number(count, format),
                nps === null ? '–' : signed(nps),
                examples[0] ? (
                  <Link
                    to={`/surveys/${survey}/responses` as string}
                    search={{ ...filters, response: examples[0].response_id } as never}
                  >
                    {examples[0].text}
                  </Link>
                ) : (
                  ''
                ),
              ])}
            />
            <p className={styles.about}>
              {data.source === 'model'
                ? t(
                    'Found by {model} in {count} text, {size} kB sent. Quotes stand in the answers word for word. | Found by {model} in {count} texts, {size} kB sent. Quotes stand in the answers word for word.',
                    {
                      model: data.model ?? '',
                      count: data.read,
                      size: number(Math.ceil((data.sent_bytes ?? 0) / 1000), format),
                    },
                  )
                : t(
                    'Found by the words of {count} text. No text left this server. | Found by the words of {count} texts. No text left this server.',
                    { count: data.answers },
                  )}
            </p>
          </>
        )}
      </Known>
      {problem ? <ProblemBanner problem={problem} /> : null}
      {read.data?.has_model && maySend && read.data.answers >= read.data.needed ? (
        <Button size="small" busy={isBusy || read.data.is_model_asked} onClick={() => submit()}>
          {read.data.is_model_asked
            ? t('The language model reads')
            : t('Let the language model read')}
        </Button>
      ) : null}
    </section>
  )
}

function Cross({ survey, filters, questions }: Props) {
  const format = useFormat()
  const [first, second] = questions
  const [chosen, setChosen] = useState<{ rows?: string; columns?: string }>({})
  const known = (id: string | undefined) => questions.find(({ field_id }) => field_id === id)
  const rows = (known(chosen.rows) ?? first)?.field_id ?? ''
  const other = [known(chosen.columns), second, first].find(
    (each) => each && each.field_id !== rows,
  )
  const columns = other?.field_id ?? ''
  const read = useQuery({
    queryKey: [...keys.record('surveys', survey), 'cross', filters, rows, columns],
    queryFn: async () =>
      (
        await api.get('/api/surveys/{id}/cross/', {
          path: { id: survey },
          query: { ...filters, rows, columns } as never,
        })
      ).data,
  })
  const options = questions.map(({ field_id, label }) => ({ value: field_id, label }))
  return (
    <section className={styles.question}>
      <h2>{t('Two questions together')}</h2>
      <div className={styles.pair}>
        <Choice
          label={t('Rows')}
          className={styles.wide}
          value={rows}
          options={options}
          onChange={(next) => setChosen({ ...chosen, rows: next ?? '' })}
        />
        <Choice
          label={t('Columns')}
          className={styles.wide}
          value={columns}
          options={options.filter(({ value }) => value !== rows)}
          onChange={(next) => setChosen({ rows, columns: next ?? '' })}
        />
      </div>
      <Known read={read} isEmpty={(data) => !data.rows.length}>
        {(data) => (
          <Listed
            label={t('Two questions together')}
            heads={[t('Answer'), ...data.columns.map(({ label }) => label)]}
            rows={data.rows.map(({ label }, at) => [
              label,
              ...(data.counts[at] ?? []).map((count) => number(count, format)),
            ])}
          />
        )}
      </Known>
    </section>
  )
}

type Read<D> = {
  data: D | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** What was found; below the number that is needed, how many are. */
function Known<D extends { answers: number; needed: number }>({
  read,
  isEmpty,
  children,
}: {
  read: Read<D>
  isEmpty: (data: D) => boolean
  children: (data: D) => ReactNode
}) {
  const { data, error } = read
  if (error && !data) {
    return (
      <ReadFault
        small
        title={t('This could not be computed')}
        error={error}
        onRetry={() => void read.refetch()}
      />
    )
  }
  if (!data) return <SkeletonRows count={3} />
  if (data.answers < data.needed) {
    return (
      <p className={styles.about}>
        {t(
          'It takes {needed} answers to say something; there is {count}. | It takes {needed} answers to say something; there are {count}.',
          {
            needed: data.needed,
            count: data.answers,
          },
        )}
      </p>
    )
  }
  if (isEmpty(data)) return <p className={styles.about}>{t('Nothing stands out.')}</p>
  return children(data)
}

/** Numbers in a table, which is scrolled sideways where it is wider than the page. */
function Listed({ label, heads, rows }: { label: string; heads: string[]; rows: ReactNode[][] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others], at) => (
            <tr key={at}>
              <th scope="row" dir="auto">
                {first}
              </th>
              {others.map((cell, of) => (
                <td key={of} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
