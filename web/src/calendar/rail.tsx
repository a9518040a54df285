import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldOf, moduleQuery } from '../data/modules.ts'
import { useMay } from '../data/session.ts'
import { searchLinked, searchPeople } from '../records/field/choices.ts'
import { NameOf, personById } from '../records/field/name-of.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { Switch } from '../ui/switch.tsx'
import styles from './rail.module.css'
import { addMonths, monthOf } from './days.ts'
import type { Place } from './use-place.ts'
import { dayWords } from './words.ts'
import { t } from '../locales/text.ts'

/** Beside the calendar: a month to go elsewhere, and whose meetings are shown. */
export function Rail({ place }: { place: Place }) {
  const { people, projects, isHidden, toggle, change, zone2 } = place
  const hasMine = people.includes('me')
  const hasTeam = people.includes('team')
  const show = (next: string[]) =>
    change({ who: next.length === 1 && next[0] === 'me' ? '' : next.join(',') || 'none' })
  const turn = (id: string) =>
    show(people.includes(id) ? people.filter((each) => each !== id) : [...people, id])
  const others = people.filter((id) => !['me', 'team'].includes(id))
  return (
    <aside className={styles.rail} aria-label={t('What is shown')}>
      <SmallMonth key={place.day.slice(0, 7)} place={place} />
      <fieldset>
        <legend>{t('Mine')}</legend>
        <Checkbox checked={hasMine || hasTeam} disabled={hasTeam} onChange={() => turn('me')}>
          {t('My meetings')}
        </Checkbox>
        <Checkbox checked={!isHidden('tasks')} onChange={() => toggle('tasks')}>
          {t('Due tasks')}
        </Checkbox>
        <Checkbox checked={!isHidden('milestones')} onChange={() => toggle('milestones')}>
          {t('Milestones')}
        </Checkbox>
      </fieldset>
      <fieldset>
        <legend>{t('Team')}</legend>
        <Checkbox checked={hasTeam} onChange={() => turn('team')}>
          {t('All that I may see')}
        </Checkbox>
        {others.map((id) => (
          <Checkbox key={id} checked onChange={() => turn(id)}>
            <NameOf {...personById(id)} />
          </Checkbox>
        ))}
        <PersonField
          label={t('Add a person')}
          placeholder={t('Add a person')}
          value={null}
          search={searchPeople}
          onChange={(person) => {
            if (person && !people.includes(person.id)) show([...people, person.id])
          }}
        />
      </fieldset>
      <Projects ids={projects} onChange={(next) => change({ projects: next.join(',') })} />
      <fieldset>
        <legend>{t('Shown')}</legend>
        <Switch apart checked={!isHidden('weekend')} onChange={() => toggle('weekend')}>
          {t('Weekend')}
        </Switch>
        <SecondZone value={zone2 ?? null} onChange={(zone) => change({ zone2: zone ?? '' })} />
      </fieldset>
    </aside>
  )
}

function Projects({ ids, onChange }: { ids: string[]; onChange: (ids: string[]) => void }) {
  const mayRead = useMay('projects', 'read')
  const { data: tasks } = useQuery({ ...moduleQuery('tasks'), enabled: mayRead })
  const field = tasks && fieldOf(tasks, 'project_id')
  if (!mayRead || !field) return null
  return (
    <fieldset>
      <legend>{t('Projects')}</legend>
      {ids.map((id) => (
        <Checkbox key={id} checked onChange={() => onChange(ids.filter((each) => each !== id))}>
          <NameOf path="/api/project/info/" title="project_name" id={id} />
        </Checkbox>
      ))}
      <Combobox
        label={t('Add a project')}
        placeholder={t('Add a project')}
        searchLabel={t('Search projects')}
        value={null}
        load={searchLinked(field)}
        onChange={(option) => {
          if (option && !ids.includes(option.value)) onChange([...ids, option.value])
        }}
      />
    </fieldset>
  )
}

const zones = () =>
  Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') }))

function SecondZone({
  value,
  onChange,
}: {
  value: string | null
  onChange: (zone: string | null) => void
}) {
  const [options] = useState(zones)
  return (
    <Choice
      label={t('Second time zone')}
      placeholder={t('Second time zone')}
      clearable
      {...{ value, options, onChange }}
    />
  )
}

function SmallMonth({ place: { day, now, first, days, goTo } }: { place: Place }) {
  const format = useFormat()
  const [shown, setShown] = useState(day)
  const month = dayWords(shown, format, { month: 'long', year: 'numeric' })
  return (
    <section className={styles.month} aria-label={month}>
      <header>
        <b>{month}</b>
        <IconButton
          size="small"
          icon="chevron-left"
          label={t('Month before')}
          onClick={() => setShown(addMonths(shown, -1))}
        />
        <IconButton
          size="small"
          icon="chevron-right"
          label={t('Month after')}
          onClick={() => setShown(addMonths(shown, 1))}
        />
      </header>
      <div className={styles.days}>
        {monthOf(shown, first).map((each, at) => (
          <div key={each}>
            {at < 7 ? (
              <small aria-hidden="true">{dayWords(each, format, { weekday: 'narrow' })}</small>
            ) : null}
            <button
              type="button"
              data-in={days.includes(each)}
              data-other={each.slice(0, 7) !== shown.slice(0, 7)}
              aria-current={each === now ? 'date' : undefined}
              aria-label={dayWords(each, format)}
              onClick={() => goTo(each)}
            >
              {Number(each.slice(8))}
            </button>
          </div>
        ))}
      </div>
    </section>
  )
}
