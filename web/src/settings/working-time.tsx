import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { WorkingSpan } from '../data/free-busy.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { shortDay } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { SettingBody, SettingRow } from '../ui/setting.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useStateFor } from '../ui/use-state-for.ts'
import styles from './settings.module.css'
import { WorkingHours } from './working-hours.tsx'
import type { Settings } from './use-settings.ts'
import { useSaved } from './use-settings.ts'
import { t } from '../locales/text.ts'

type Absence = { start_date: string; end_date: string }
/** Which nobody outside sees. */
type Time = {
  weekly_hours?: number | null
  working_hours?: WorkingSpan[]
  absences?: Absence[]
}

/** Reads and changes a profile. */
export function profileAt(id: string, queryKey: readonly unknown[]) {
  return {
    queryKey,
    queryFn: async () => (await api.get('/api/users/profile/{id}/', { path: { id } })).data,
    send: async (values: object) => {
      const body = { ...values, profile_id: id } as never
      const { data } = await api.post('/api/users/profile/action/', { body })
      // how full their weeks are follows from it
      void queryClient.invalidateQueries({ queryKey: keys.lists('tasks') })
      void queryClient.invalidateQueries({ queryKey: keys.lists('calendar') })
      return data
    },
  }
}

/** The hours of a person in a week, and the days on which they are away. */
export function WorkingTime<T extends Time>({ of }: { of: Settings<T> }) {
  const format = useFormat()
  const { weekly_hours: stored = null, working_hours: spans = [], absences = [] } = of.values
  const [typed, setTyped] = useStateFor<number | null>(stored)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const save = (values: Time[keyof Time], name: keyof Time, message: string) =>
    of.save({ [name]: values } as Partial<T>, message)
  const add = async () => {
    if (!from) return
    const more = [...absences, { start_date: from, end_date: to ?? from }]
    const sorted = more.toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1))
    if (await save(sorted, 'absences', t('Days away saved'))) {
      setFrom(null)
      setTo(null)
    }
  }
  return (
    <>
      <SettingRow
        label={t('Hours a week')}
        hint={t('Empty for eight hours on each working day.')}
        error={of.errors.weekly_hours}
      >
        <NumberField
          min={0}
          max={168}
          value={typed}
          suffix="h"
          disabled={of.isReadOnly}
          onChange={setTyped}
          onBlur={() => {
            if (typed !== stored) void save(typed, 'weekly_hours', t('Hours saved'))
          }}
        />
      </SettingRow>
      <WorkingHours
        spans={spans}
        hint={t('Empty for the hours of the organization.')}
        error={of.errors.working_hours}
        isReadOnly={of.isReadOnly}
        onSave={(next, message) => save(next, 'working_hours', message)}
      />
      {absences.map((absence, at) => {
        const { start_date: start, end_date: end } = absence
        const days =
          start === end
            ? shortDay(start, format)
            : `${shortDay(start, format)} – ${shortDay(end, format)}`
        return (
          <SettingRow key={`${start} ${end} ${at}`} label={t('Away {days}', { days })}>
            <IconButton
              icon="trash"
              label={t('Remove {days}', { days })}
              onClick={() =>
                void save(
                  absences.filter((each) => each !== absence),
                  'absences',
                  t('Days away removed'),
                )
              }
            />
          </SettingRow>
        )
      })}
      <SettingBody>
        <form
          className={styles.fields}
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <DateField label={t('First day away')} value={from} onChange={setFrom} />
          <DateField
            label={t('Last day away')}
            value={to}
            {...(from ? { min: from } : {})}
            onChange={setTo}
          />
          <Button type="submit" disabled={!from || (to !== null && to < from)}>
            {t('Add days away')}
          </Button>
          {of.errors.absences ? <p role="alert">{of.errors.absences}</p> : null}
        </form>
      </SettingBody>
    </>
  )
}

type DialogProps = { user: { user_id: string; full_name: string }; onClose: () => void }

/** The same of somebody else, for who may edit users. */
export function WorkingTimeDialog({ user, onClose }: DialogProps) {
  const stored = profileAt(user.user_id, keys.setting('profile', { id: user.user_id }))
  const { data, error, refetch } = useQuery({
    queryKey: stored.queryKey,
    queryFn: stored.queryFn,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title={t('Working time of {full_name}', { full_name: user.full_name })}
      description={t('How full their weeks are is counted by it.')}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      {data ? (
        <Saved values={data} stored={stored} />
      ) : error ? (
        <ReadFault title={t('The profile could not be read')} error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows count={3} />
      )}
    </Dialog>
  )
}

function Saved<T extends Time>(props: { values: T; stored: Parameters<typeof useSaved<T>>[1] }) {
  const of = useSaved(props.values, props.stored)
  return <WorkingTime of={of} />
}
