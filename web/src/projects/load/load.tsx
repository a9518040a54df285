import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Load } from '../../data/load.ts'
import { loadQuery } from '../../data/load.ts'
import type { LayoutProps } from '../../records/definition.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Option } from '../../ui/option.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import type { Chosen } from './figures.ts'
import { choicesOf, fillOf, peopleOf } from './figures.ts'
import { LoadList } from './list.tsx'
import styles from './load.module.css'
import { LoadTable } from './table.tsx'
import { t } from '../../locales/text.ts'

const everybody: Chosen = { team: null, title: null, project: null }
/** People of a page of the table at first; more are shown on demand. */
const shownAtFirst = 100

/** What people have to do in the next weeks, against the time that they have. */
export default function LoadLayout({ params, empty }: LayoutProps) {
  const { data, error, refetch } = useQuery(loadQuery(params))
  if (!data) {
    return error ? (
      <ReadFault title={t('The load could not be read')} error={error} onRetry={refetch} />
    ) : (
      <SkeletonRows count={8} />
    )
  }
  // nobody works in the projects of the list
  if (!data.people.length) return empty
  return <LoadOf load={data} />
}

function LoadOf({ load }: { load: Load }) {
  const format = useFormat()
  const isNarrow = useNarrow()
  const [chosen, setChosen] = useState(everybody)
  const [isWhole, setWhole] = useState(false)
  const choices = choicesOf(load)
  const found = peopleOf(load, chosen)
  const people = isWhole ? found : found.slice(0, shownAtFirst)
  const over = found.reduce(
    (sum, { weeks }) => sum + weeks.filter((week) => fillOf(week) === 'over').length,
    0,
  )
  const choice = (name: keyof Chosen, label: string, all: string, options: Option[]) =>
    options.length ? (
      <Choice
        label={label}
        className={styles.choice}
        clearable
        placeholder={all}
        value={chosen[name]}
        options={options}
        onChange={(value) => setChosen((before) => ({ ...before, [name]: value }))}
      />
    ) : null
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        {choice('team', t('Team'), t('Team: all'), choices.teams)}
        {choice('title', t('Job title'), t('Job title: all'), choices.titles)}
        {choice('project', t('Project'), t('Project: all'), choices.projects)}
        <span className={styles.space} />
        <span role="status" className={styles.over}>
          {over ? (
            <>
              <Icon name="warning" size={16} />{' '}
              {t('{count} week over capacity | {count} weeks over capacity', { count: over })}
            </>
          ) : null}
        </span>
      </div>
      {found.length ? (
        isNarrow ? (
          <LoadList people={people} format={format} />
        ) : (
          <LoadTable load={load} people={people} all={found} format={format} />
        )
      ) : (
        <Empty
          title={t('Nobody here matches')}
          action={<Button onClick={() => setChosen(everybody)}>{t('Clear')}</Button>}
        />
      )}
      <div className={styles.foot}>
        {people.length < found.length ? (
          <Button onClick={() => setWhole(true)}>
            {t('Show the other {count}', { count: found.length - people.length })}
          </Button>
        ) : null}
        {load.is_complete ? null : (
          <span>{t('Not everything is shown: there is more than fits here.')}</span>
        )}
        {isNarrow ? null : (
          <span className={styles.quiet}>
            {t('Only tasks that you may see count; “+2” are tasks without an estimate.')}
          </span>
        )}
      </div>
    </div>
  )
}
