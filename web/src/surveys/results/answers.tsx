import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { keys } from '../../data/keys.ts'
import { moduleQuery } from '../../data/modules.ts'
import { idOf } from '../../data/record.ts'
import { levelOf, useSession } from '../../data/session.ts'
import type { SectionProps } from '../../records/definition.ts'
import { instant, relative } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { later } from '../../records/later.tsx'
import { ReadFault } from '../../records/read-fault.tsx'
import { useAddressOf, useScreensOf } from '../../records/screens.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { AnswerValue, questionsIn } from '../../records/answers/answer-value.tsx'
import type { Question } from '../../records/answers/answer-value.tsx'
import { responseQuery, runsQuery } from '../automations/use-automations.ts'
import { t } from '../../locales/text.ts'
import { cleared, filtersOf, useResultPlace } from './place.ts'
import styles from './answers.module.css'

const NewRecord = later(() => import('../../records/form/new-record.tsx'))

type Response = components['schemas']['SurveyResponse']

/** How many answers are read at once. */
const size = 50

/** The answers one by one: a list, and beside it the chosen one with what came of it. */
export default function Answers({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const [place, change] = useResultPlace()
  const filters = filtersOf(place)
  const chosen = useSearch({ strict: false }) as { response?: unknown }
  const navigate = useNavigate()
  const read = useInfiniteQuery({
    queryKey: [...keys.record('surveys', id), 'answers', filters],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => {
      const query = { ...filters, page: pageParam, items_per_page: size } as never
      return (await api.get('/api/surveys/{id}/responses/', { path: { id }, query })).data
    },
    getNextPageParam: (last, all) => (last.length < size ? undefined : all.length + 1),
    placeholderData: keepPreviousData,
  })
  const answers = read.data?.pages.flat() ?? []
  const named = chosen.response === undefined ? undefined : String(chosen.response)
  const current = named ?? answers[0]?.response_id
  const at = answers.findIndex(({ response_id }) => response_id === current)
  const open = (response: string | undefined) => {
    if (!response) return
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, response }),
      replace: true,
    } as never)
    document.querySelector(`[data-answer="${response}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const move = (by: number) => open(answers[at + by]?.response_id)
  useShortcuts([
    { keys: 'j', label: t('Next answer'), group: t('Answers'), run: () => move(1) },
    { keys: 'k', label: t('Previous answer'), group: t('Answers'), run: () => move(-1) },
  ])
  if (read.error && !read.data) {
    return (
      <ReadFault
        small
        title={t('The answers could not be read')}
        error={read.error}
        onRetry={read.refetch}
      />
    )
  }
  if (read.isPending) return <SkeletonRows count={5} />
  const isFiltered = Object.keys(filters).length > 0
  const questions = questionsIn(record)
  const score = questions.find(({ type }) => type === 'nps')?.id
  return (
    <>
      {isFiltered ? (
        <p className={styles.filtered}>
          {t('Only the answers that the filters of the results show')}{' '}
          <Button size="small" variant="quiet" onClick={() => change(cleared)}>
            {t('Clear filters')}
          </Button>
        </p>
      ) : null}
      {answers.length || named ? (
        <div className={styles.answers}>
          <nav aria-label={t('Answers')}>
            <ol>
              {answers.map((answer) => (
                <li key={answer.response_id}>
                  <Line
                    answer={answer}
                    score={score}
                    isCurrent={answer.response_id === current}
                    onOpen={open}
                  />
                </li>
              ))}
            </ol>
            {read.hasNextPage ? (
              <Button
                size="small"
                variant="quiet"
                busy={read.isFetchingNextPage}
                onClick={() => void read.fetchNextPage()}
              >
                {t('Show more')}
              </Button>
            ) : null}
          </nav>
          {current ? (
            <One
              key={current}
              survey={{ id, name: String(record.name ?? '') }}
              response={current}
              known={answers[at]}
              questions={questions}
            />
          ) : null}
        </div>
      ) : (
        <Empty
          small
          icon="smile"
          title={isFiltered ? t('No answers match') : t('No answers yet')}
        />
      )}
    </>
  )
}

type LineProps = {
  answer: Response
  score: string | undefined
  isCurrent: boolean
  onOpen: (response: string) => void
}

function Line({ answer, score, isCurrent, onOpen }: LineProps) {
  const format = useFormat()
  const { response_id, respondent_email, finished, finished_at, creation_time, answers } = answer
  const points = score === undefined ? undefined : answers[score]
  return (
    <button
      type="button"
      data-answer={response_id}
      className={styles.line}
      aria-current={isCurrent || undefined}
      onClick={() => onOpen(response_id)}
    >
      <span>{respondent_email ?? t('Anonymous')}</span>
      <small>
        {[
          typeof points === 'number' ? t('score {score}', { score: String(points) }) : null,
          finished ? null : t('only begun'),
          relative(finished_at ?? creation_time, format),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </button>
  )
}

type OneProps = {
  survey: { id: string; name: string }
  response: string
  known: Response | undefined
  questions: Question[]
}

/** One answer as a page: who gave it, what it says, and what it has led to. */
function One({ survey, response, known, questions }: OneProps) {
  const format = useFormat()
  const session = useSession()
  const addressOf = useAddressOf()
  const query = useQuery({ ...responseQuery(survey.id, response), enabled: !known })
  const answer = known ?? query.data
  const email = answer?.respondent_email ?? null
  const contact = useContact(email)
  const runs = useQuery(runsQuery(survey.id))
  const made = (runs.data ?? []).filter(({ response_id }) => response_id === response)
  const [isTask, setTask] = useState(false)
  if (query.error && !answer) {
    return (
      <ReadFault
        small
        title={t('The answer could not be read')}
        error={query.error}
        onRetry={query.refetch}
      />
    )
  }
  if (answer === null) return <p>{t('This answer is gone.')}</p>
  if (!answer) return <SkeletonRows count={4} />
  const known_at = answer.finished_at ?? answer.creation_time
  const link = `${window.location.origin}/surveys/${survey.id}/responses?response=${response}`
  const contactAddress = contact && addressOf('contacts', contact.contact_id)
  return (
    <article className={styles.one} aria-label={t('Answer')}>
      <header>
        <h2>
          {contact && contactAddress ? (
            <a href={contactAddress}>{contact.full_name}</a>
          ) : (
            (email ?? t('Anonymous'))
          )}
        </h2>
        <p className={styles.quiet}>
          {[
            contact ? email : null,
            instant(known_at, format),
            answer.finished ? null : t('only begun'),
            t('version {version}', { version: answer.structure_version }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={styles.acts}>
          {levelOf(session, 'tasks', 'create') === 'none' ? null : (
            <Button size="small" icon="square-check" onClick={() => setTask(true)}>
              {t('Make a task')}
            </Button>
          )}
          {email ? (
            <ButtonLink
              size="small"
              variant="quiet"
              icon="mail"
              href={`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(survey.name)}`}
            >
              {t('Reply by mail')}
            </ButtonLink>
          ) : null}
        </div>
      </header>
      <Facts>
        {Object.entries(answer.answers).map(([field, value]) => {
          const question = questions.find((each) => each.id === field)
          return (
            <Fact key={field} label={question?.label ?? t('A deleted question')}>
              <div dir="auto">
                <AnswerValue question={question} value={value} />
              </div>
            </Fact>
          )
        })}
      </Facts>
      {made.length ? (
        <section>
          <h3>{t('What came of it')}</h3>
          <ul>
            {made.flatMap(({ results, status, error, automation_id }) =>
              results.length
                ? results.map(({ task_id, title }) => (
                    <li key={task_id}>
                      <a href={`/tasks?peek=${task_id}`}>{title}</a>
                    </li>
                  ))
                : status === 'failed'
                  ? [<li key={automation_id}>{t('Failed: {why}', { why: error })}</li>]
                  : [],
            )}
          </ul>
        </section>
      ) : null}
      {isTask ? (
        <Task
          title={t('Answer to {survey}', { survey: survey.name })}
          description={link}
          onClose={() => setTask(false)}
        />
      ) : null}
    </article>
  )
}

/** The contact with an address, of who may read contacts. */
function useContact(email: string | null) {
  const session = useSession()
  const isAllowed = levelOf(session, 'contacts', 'read') !== 'none'
  const { data } = useQuery({
    queryKey: [...keys.lists('contacts'), 'of', email],
    enabled: isAllowed && email !== null,
    queryFn: async () => {
      const filter = JSON.stringify([{ field: 'primary_email', operator: 'eq', value: email }])
      const query = { filter, page: 1, items_per_page: 1, fields: 'contact_id,full_name' }
      return (await api.get('/api/contact/', { query })).data[0] ?? null
    },
  })
  return data as { contact_id: string; full_name: string } | null | undefined
}

type TaskProps = { title: string; description: string; onClose: () => void }

/** A new task that leads back to the answer. */
function Task({ title, description, onClose }: TaskProps) {
  const { data: module } = useQuery(moduleQuery('tasks'))
  const screens = useScreensOf('tasks')
  if (!module || !screens) return null
  return (
    <NewRecord
      module={module}
      screens={screens}
      initial={{ title, description }}
      onClose={onClose}
      onCreated={onClose}
    />
  )
}
