import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { instant } from '../../records/field/format.ts'
import { LinkFilter, PersonFilter } from '../../records/field/link-filters.tsx'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { languages } from '../starts.ts'
import styles from '../results.module.css'
import { t } from '../../locales/text.ts'
import type { AnswerCondition, ResultPlace } from './place.ts'
import { cleared, conditionsIn } from './place.ts'

type Question = {
  field_id: string
  label: string
  distribution: { value: unknown; label: string }[]
}

type Props = {
  survey: string
  /** how often the questions were changed */
  versions: number
  questions: Question[]
  place: ResultPlace
  onChange: (next: ResultPlace) => void
}

/** What the results are restricted to: days, accounts, language, version, mailing and answers. */
export default function ResultsFilters({ survey, versions, questions, place, onChange }: Props) {
  const session = useSession()
  const isAsked = Object.keys(place).some((name) => name !== 'unit')
  const readsAccounts = levelOf(session, 'accounts', 'read') !== 'none'
  return (
    <Toolbar label={t('What is shown')} wrap className={styles.filters ?? ''}>
      <DateField
        label={t('From')}
        className={styles.day ?? ''}
        value={place.since ?? null}
        {...(place.until ? { max: place.until } : {})}
        onChange={(since) => onChange({ since: since ?? '', ...(since ? {} : { compare: '' }) })}
      />
      <DateField
        label={t('Until [day]')}
        className={styles.day ?? ''}
        value={place.until ?? null}
        {...(place.since ? { min: place.since } : {})}
        onChange={(until) => onChange({ until: until ?? '' })}
      />
      {readsAccounts ? (
        <>
          <LinkFilter
            id={place.account ?? null}
            of={{ module: 'surveys', field: 'account_id', to: 'accounts' }}
            words={[t('Account'), t('accounts')]}
            className={styles.choice}
            onChange={(account) => onChange({ account: account ?? '' })}
          />
          <PersonFilter
            id={place.owner ?? null}
            className={styles.choice}
            label={t('Account owner')}
            placeholder={t('Account owner: all')}
            onChange={(owner) => onChange({ owner: owner ?? '' })}
          />
          <SegmentFilter
            value={place.segment ?? null}
            onChange={(segment) => onChange({ segment: segment ?? '' })}
          />
        </>
      ) : null}
      <Choice
        label={t('Language')}
        className={styles.choice}
        placeholder={t('Language: all')}
        clearable
        value={place.language ?? null}
        options={languages}
        onChange={(language) => onChange({ language: language ?? '' })}
      />
      {versions > 1 ? (
        <Choice
          label={t('Version of the questions')}
          className={styles.choice}
          placeholder={t('Version: all')}
          clearable
          value={place.version ?? null}
          options={Array.from({ length: versions }, (_, i) => ({
            value: String(versions - i),
            label: t('Version {number}', { number: versions - i }),
          }))}
          onChange={(version) => onChange({ version: version ?? '' })}
        />
      ) : null}
      <MailingFilter
        survey={survey}
        value={place.schedule ?? null}
        onChange={(schedule) => onChange({ schedule: schedule ?? '' })}
      />
      {place.since ? (
        <Checkbox
          checked={place.compare === 'previous'}
          onChange={(isCompared) => onChange({ compare: isCompared ? 'previous' : '' })}
        >
          {t('Compare with the time before')}
        </Checkbox>
      ) : null}
      {conditionsIn(place.answers).map((condition, at, all) => (
        <Tag
          key={at}
          neutral
          onRemove={() => {
            const left = all.filter((each) => each !== condition)
            onChange({ answers: left.length ? JSON.stringify(left) : '' })
          }}
        >
          {sayCondition(condition, questions)}
        </Tag>
      ))}
      {isAsked ? (
        <Button size="small" variant="quiet" onClick={() => onChange(cleared)}>
          {t('Clear filters')}
        </Button>
      ) : null}
    </Toolbar>
  )
}

/** "How was it? is 5" */
function sayCondition({ field, value }: AnswerCondition, questions: Question[]): string {
  const question = questions.find(({ field_id }) => field === `answers.${field_id}`)
  const label = question?.distribution.find((each) => each.value === value)?.label
  return t('{question}: {answer}', {
    question: question?.label ?? field,
    answer: label ?? String(value),
  })
}

type FilterProps = { value: string | null; onChange: (value: string | null) => void }

function SegmentFilter({ value, onChange }: FilterProps) {
  const { data: module } = useQuery(moduleQuery('accounts'))
  const options = module && fieldOf(module, 'segment')?.options
  if (!options?.length && value === null) return null
  return (
    <Choice
      label={t('Segment')}
      className={styles.choice}
      placeholder={t('Segment: all')}
      clearable
      value={value}
      options={(options ?? []).map((each) => ({ value: each.value, label: each.label }))}
      onChange={onChange}
    />
  )
}

/** Which mailing asked; nothing where none was sent. */
function MailingFilter({ survey, value, onChange }: FilterProps & { survey: string }) {
  const format = useFormat()
  const { data } = useQuery({
    queryKey: [...keys.record('surveys', survey), 'schedules'],
    queryFn: async () =>
      (await api.get('/api/surveys/{id}/schedules/', { path: { id: survey } })).data,
  })
  const sent = data?.filter(({ status }) => status === 'sent') ?? []
  if (!sent.length && value === null) return null
  return (
    <Choice
      label={t('Mailing')}
      className={styles.choice}
      placeholder={t('Mailing: all')}
      clearable
      value={value}
      options={sent.map(({ schedule_id, scheduled_at_utc, sent_count }) => ({
        value: schedule_id,
        label: t('{at}, to {count} person | {at}, to {count} people', {
          at: instant(scheduled_at_utc, format),
          count: sent_count,
        }),
      }))}
      onChange={onChange}
    />
  )
}
