import { useQuery } from '@tanstack/react-query'
import { pipelinesQuery } from '../data/deal.ts'
import { levelOf, useSession } from '../data/session.ts'
import { LinkFilter, PersonFilter } from '../records/field/link-filters.tsx'
import { Choice } from '../ui/choice.tsx'
import styles from './insight.module.css'
import { t } from '../locales/text.ts'

/** What the address of a dashboard holds. */
export type Search = {
  range?: string
  owner?: string
  account?: string
  pipeline?: string
  /** whether its widgets are edited */
  edit?: string
}

type Props = {
  search: Search
  /** what means nothing here */
  without?: 'pipeline'[]
  onChange: (next: Search) => void
}

/** Whose records are counted, of which customer and pipeline. */
export function DashboardFilters({ search, without = [], onChange }: Props) {
  const session = useSession()
  return (
    <>
      <PersonFilter
        id={search.owner ?? null}
        className={styles.choice}
        onChange={(owner) => onChange({ owner: owner ?? '' })}
      />
      {levelOf(session, 'accounts', 'read') === 'none' ? null : (
        <LinkFilter
          id={search.account ?? null}
          of={{ module: 'deals', field: 'account_id', to: 'accounts' }}
          words={[t('Account'), t('accounts')]}
          className={styles.choice}
          onChange={(account) => onChange({ account: account ?? '' })}
        />
      )}
      {without.length || levelOf(session, 'deals', 'read') === 'none' ? null : (
        <PipelineFilter
          id={search.pipeline ?? null}
          onChange={(pipeline) => onChange({ pipeline })}
        />
      )}
    </>
  )
}

type FilterProps = { id: string | null; onChange: (id: string) => void }

/** Which pipeline deals are of, where there are several. */
export function PipelineFilter({ id, onChange }: FilterProps) {
  const { data } = useQuery(pipelinesQuery)
  // one pipeline is no choice
  if ((!data || data.length < 2) && !id) return null
  const options = (data ?? []).map((each) => ({
    value: each.pipeline_id,
    label: each.pipeline_name,
  }))
  const isKnown = id === null || options.some(({ value }) => value === id)
  return (
    <Choice
      label={t('Pipeline')}
      className={styles.choice}
      placeholder={t('Pipeline: all')}
      clearable
      value={id}
      options={
        isKnown ? options : [...options, { value: id, label: data ? t('A deleted pipeline') : '…' }]
      }
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
