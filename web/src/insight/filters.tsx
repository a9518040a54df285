import { useQuery } from '@tanstack/react-query'
import { pipelinesQuery } from '../data/deal.ts'
import { fieldOf, moduleQuery } from '../data/modules.ts'
import { recordQuery, titleOf } from '../data/record.ts'
import { levelOf, useSession } from '../data/session.ts'
import { personQuery } from '../data/templates.ts'
import { searchLinked, searchPeople } from '../records/field/choices.ts'
import { Choice } from '../ui/choice.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { PersonField } from '../ui/person-field.tsx'
import styles from './insight.module.css'

/** What the address of a dashboard holds. */
export type Search = { range?: string; owner?: string; account?: string; pipeline?: string }

type Props = { search: Search; onChange: (next: Search) => void }

/** Whose records are counted, of which customer and pipeline. */
export function DashboardFilters({ search, onChange }: Props) {
  const session = useSession()
  return (
    <>
      <PersonFilter id={search.owner ?? null} onChange={(owner) => onChange({ owner })} />
      {levelOf(session, 'accounts', 'read') === 'none' ? null : (
        <AccountFilter id={search.account ?? null} onChange={(account) => onChange({ account })} />
      )}
      {levelOf(session, 'deals', 'read') === 'none' ? null : (
        <PipelineFilter
          id={search.pipeline ?? null}
          onChange={(pipeline) => onChange({ pipeline })}
        />
      )}
    </>
  )
}

type FilterProps = { id: string | null; onChange: (id: string) => void }

function PersonFilter({ id, onChange }: FilterProps) {
  const { data } = useQuery(personQuery(id))
  return (
    <PersonField
      label="Person"
      className={styles.choice}
      placeholder="Person: all"
      clearable
      value={id === null ? null : (data ?? { id, name: '…' })}
      search={searchPeople}
      onChange={(person) => onChange(person?.id ?? '')}
    />
  )
}

function AccountFilter({ id, onChange }: FilterProps) {
  const { data: deals } = useQuery(moduleQuery('deals'))
  const field = deals && fieldOf(deals, 'account_id')
  const reference = field?.reference
  const { data } = useQuery({
    ...recordQuery({ module: 'accounts', path: reference?.path ?? '' }, id ?? ''),
    enabled: id !== null && Boolean(reference?.path),
    retry: false,
  })
  if (!field || !reference) return null
  return (
    <Combobox
      label="Account"
      className={styles.choice}
      placeholder="Account: all"
      clearable
      searchLabel="Search accounts"
      emptyText="Nothing found"
      value={
        id === null
          ? null
          : { value: id, label: data ? titleOf({ title_field: reference.title_field }, data) : '…' }
      }
      load={searchLinked(field)}
      onChange={(option) => onChange(option?.value ?? '')}
    />
  )
}

function PipelineFilter({ id, onChange }: FilterProps) {
  const { data = [] } = useQuery(pipelinesQuery)
  // one pipeline is no choice
  if (data.length < 2 && !id) return null
  return (
    <Choice
      label="Pipeline"
      className={styles.choice}
      placeholder="Pipeline: all"
      clearable
      value={id}
      options={data.map((each) => ({ value: each.pipeline_id, label: each.pipeline_name }))}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
