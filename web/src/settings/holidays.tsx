import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { deleteRecord, notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { moduleQuery } from '../data/modules.ts'
import { changeConfigured } from '../data/settings.ts'
import { useMay } from '../data/session.ts'
import { day } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ItemRow, SettingBody, SettingGroup } from '../ui/setting.tsx'
import { HolidayForm } from './holiday-form.tsx'
import { HolidayImport } from './holiday-import.tsx'
import styles from './settings.module.css'
import { language, t } from '../locales/text.ts'

export type HolidaySet = components['schemas']['HolidaySet']
type Holiday = HolidaySet['holidays'][number]

const queryKey = keys.list('holidays', { settings: true })

/** The days on which nobody works, which due dates of plans leave out. */
export default function Holidays() {
  const { data: module } = useSuspenseQuery(moduleQuery('holidays'))
  const { start: startDeletion, dialog } = useDeletion()
  const [isImporting, setImporting] = useState(false)
  const { data: sets } = useSuspenseQuery({
    queryKey,
    queryFn: async () =>
      (
        await request<HolidaySet[]>('GET', '/api/holidays/holinfo/', {
          query: { page: 1, items_per_page: 50, sort: 'country' },
        })
      ).data,
  })
  const may = {
    create: useMay('holidays', 'create'),
    update: useMay('holidays', 'update'),
    delete: useMay('holidays', 'delete'),
  }
  const change = (set: HolidaySet, holidays: Holiday[], message: string) => {
    const put = (days: Holiday[], notice?: { message: string; undo?: () => Promise<void> }) =>
      changeConfigured<HolidaySet[]>(
        queryKey,
        (all) =>
          all.map((each) =>
            each.holidays_id === set.holidays_id ? { ...each, holidays: days } : each,
          ),
        () =>
          api.put('/api/holidays/holinfo/{id}/', {
            path: { id: set.holidays_id },
            body: { holidays: days } as never,
          }),
        notice,
      )
    return put(holidays, { message, undo: () => put(set.holidays).catch(notifyRefusal) })
  }
  return (
    <SectionPage
      title={t('Holidays')}
      about={t(
        'Days on which nobody works. A project uses one of these sets, and its due dates skip them.',
      )}
      actions={
        may.create ? (
          <Button variant="primary" icon="download" onClick={() => setImporting(true)}>
            {t('Add a country')}
          </Button>
        ) : null
      }
    >
      {sets.map((set) => (
        <SettingGroup
          key={set.holidays_id}
          title={placeOf(set)}
          actions={
            may.delete ? (
              <IconButton
                icon="trash"
                label={t('Delete {place}', { place: placeOf(set) })}
                onClick={() =>
                  startDeletion({
                    module: 'holidays',
                    id: set.holidays_id,
                    name: placeOf(set),
                    remove: () => deleteRecord(module, set.holidays_id, placeOf(set)),
                  })
                }
              />
            ) : null
          }
        >
          <Days set={set} mayChange={may.update} onChange={change} />
        </SettingGroup>
      ))}
      {sets.length ? null : (
        <SettingGroup>
          <Empty small icon="calendar" title={t('No holidays yet')}>
            {t('Add a country: its public holidays come with it, and you add your own days.')}
          </Empty>
        </SettingGroup>
      )}
      {dialog}
      {isImporting ? (
        <HolidayImport queryKey={queryKey} onClose={() => setImporting(false)} />
      ) : null}
    </SectionPage>
  )
}

type DaysProps = {
  set: HolidaySet
  mayChange: boolean
  onChange: (set: HolidaySet, holidays: Holiday[], message: string) => Promise<void>
}

function Days({ set, mayChange, onChange }: DaysProps) {
  const format = useFormat()
  const sorted = set.holidays.toSorted((a, b) => a.date.localeCompare(b.date))
  return (
    <>
      {sorted.map((holiday) => (
        <ItemRow
          key={`${holiday.date} ${holiday.name}`}
          name={holiday.name}
          actions={
            mayChange ? (
              <IconButton
                size="small"
                icon="x"
                label={t('Remove {name}, {date}', { name: holiday.name, date: holiday.date })}
                onClick={() =>
                  void onChange(
                    set,
                    sorted.filter((each) => each !== holiday),
                    t('{name} removed', { name: holiday.name }),
                  ).catch(notifyRefusal)
                }
              />
            ) : null
          }
        >
          {holiday.is_repeat_annually
            ? t('{day} · every year', { day: day(holiday.date, format) })
            : `${day(holiday.date, format)}`}
        </ItemRow>
      ))}
      {mayChange ? (
        <SettingBody>
          <HolidayForm
            place={placeOf(set)}
            className={styles.fields}
            onAdd={(holiday) =>
              onChange(set, [...sorted, holiday], t('{name} added', { name: holiday.name }))
            }
          />
        </SettingBody>
      ) : null}
    </>
  )
}

/** "DE, BY"; the name of a country where the browser knows it. */
function placeOf({ country, state }: HolidaySet): string {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  const name = country && /^[A-Z]{2}$/.test(country) ? names.of(country) : country
  return [name, state].filter(Boolean).join(', ') || t('Holidays')
}
