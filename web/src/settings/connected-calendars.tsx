import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { SettingBody, SettingGroup, SettingRow } from '../ui/setting.tsx'
import { CalendarServerForm } from './calendar-server-form.tsx'
import { t } from '../locales/text.ts'
import css from './settings.module.css'

type Connected = AnswerOf<'/api/calendar/connections/', 'get'>
type Connection = Connected[number]
type Slot = Connection['slot']
type Kind = Connection['kind']

const queryKey = keys.setting('connected calendars')
const slots: Slot[] = ['a', 'b']

const order: Kind[] = ['google', 'microsoft', 'caldav']
const kindNames: { [kind in Kind]: string } = {
  google: t('Google Calendar'),
  microsoft: t('Microsoft 365'),
  caldav: t('CalDAV server'),
}

const problemWords: { [problem in NonNullable<Connection['problem']>]: string } = {
  credentials: t('The calendar no longer accepts the sign-in. Connect it again.'),
  unreachable: t('The server of the calendar does not answer. It is tried again by itself.'),
  forbidden_address: t('The server leads to an address that must not be reached from here.'),
  calendar_gone: t('The calendar is no longer there. Choose another one, or connect it again.'),
  throttled: t('The server asks to wait. It is tried again by itself.'),
  too_large: t('The calendar has too many entries.'),
  no_right: t('The server or your role here does not allow it.'),
  unexpected: t('The server answered with something that is not understood.'),
}

const readings = [
  { value: 'nothing' as const, label: t('Nothing'), hint: t('Meetings only go there.') },
  {
    value: 'busy' as const,
    label: t('Only when I am busy'),
    hint: t('Times without titles: colleagues see when you are not free.'),
  },
  {
    value: 'events' as const,
    label: t('Events'),
    hint: t('They become private meetings of yours, and change on both sides.'),
  },
]

/** The calendars that the person already has: meetings go there by their flags, and what is there is read. */
export default function ConnectedCalendars() {
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/calendar/connections/')).data,
    // the first synchronization takes some seconds
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'connecting') ? 1000 : 30_000,
  })
  const { data: kinds } = useSuspenseQuery({
    queryKey: keys.setting('kinds of calendars'),
    queryFn: async () => (await api.get('/api/calendar/connections/kinds/')).data,
    staleTime: Infinity,
  })
  const offered = order.filter((kind) => kinds.includes(kind))
  const [connecting, setConnecting] = useState<Slot>()
  const returned = useReturn()
  const connect = (slot: Slot, kind: Kind) => {
    if (kind === 'caldav') return setConnecting(slot)
    api
      .post('/api/calendar/connections/begin/', { body: { slot, kind } })
      .then((answer) => location.assign(answer.data.authorization_url))
      .catch(notifyRefusal)
  }
  return (
    <SectionPage
      title={t('Connected calendars')}
      about={t(
        'Meetings are put into the calendars that you already have, and what is in these is considered here.',
      )}
    >
      {returned === 'working' ? (
        <p role="status">{t('The calendar is being connected …')}</p>
      ) : null}
      {returned === 'refused' || returned === 'failed' ? (
        <div className={css.who}>
          <Banner kind="bad" boxed>
            {returned === 'refused'
              ? t('You did not give access to your calendars: nothing was connected.')
              : t('The calendar could not be connected. Begin again below.')}
          </Banner>
        </div>
      ) : null}
      {slots.map((slot) => {
        const connection = data.find((each) => each.slot === slot)
        return connection ? (
          <ConnectedCalendar
            key={slot}
            connection={connection}
            connect={() => connect(slot, connection.kind)}
          />
        ) : (
          <SettingGroup
            key={slot}
            title={slotName(slot)}
            hint={t('Not connected. Meetings that are marked for it stay here only.')}
          >
            <SettingBody>
              <div className={css.line}>
                {offered.map((kind) => {
                  const words =
                    offered.length === 1
                      ? t('Connect calendar')
                      : t('Connect {name}', { name: kindNames[kind] })
                  return (
                    <Button
                      key={kind}
                      icon="calendar"
                      aria-label={`${slotName(slot)}: ${words}`}
                      onClick={() => connect(slot, kind)}
                    >
                      {words}
                    </Button>
                  )
                })}
              </div>
            </SettingBody>
          </SettingGroup>
        )
      })}
      {connecting ? (
        <CalendarServerForm
          slot={connecting}
          before={data.find((each) => each.slot === connecting)}
          onClose={() => setConnecting(undefined)}
          onConnected={() => void queryClient.invalidateQueries({ queryKey })}
        />
      ) : null}
    </SectionPage>
  )
}

type Props = { connection: Connection; connect: () => void }

function ConnectedCalendar({ connection, connect }: Props) {
  const format = useFormat()
  const [isEnding, setEnding] = useState(false)
  const { connection_id: id, slot, state, problem, faults } = connection
  const path = { id }
  const put = (changed: Connection) =>
    queryClient.setQueryData<Connected>(queryKey, (before) =>
      before?.map((each) => (each.connection_id === id ? changed : each)),
    )
  const change = async (body: { calendar?: string; reads?: Connection['reads'] }) => {
    put((await api.put('/api/calendar/connections/{id}/', { path, body })).data)
    notify({ message: t('Saved') })
  }
  const syncNow = async () => {
    put((await api.post('/api/calendar/connections/{id}/sync/', { path })).data)
    notify({ message: t('The calendar is synchronized in a moment') })
  }
  const end = async () => {
    setEnding(false)
    await api.delete('/api/calendar/connections/{id}/', { path })
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: t('Calendar disconnected') })
  }
  const where = [
    connection.kind === 'caldav' ? null : kindNames[connection.kind],
    connection.account,
    hostOf(connection.address),
  ]
  const reading = readings.find(({ value }) => value === connection.reads)
  return (
    <SettingGroup
      title={slotName(slot)}
      hint={where.filter(Boolean).join(' · ')}
      actions={
        <Button
          aria-label={t('Disconnect {name}', { name: slotName(slot) })}
          onClick={() => setEnding(true)}
        >
          {t('Disconnect')}
        </Button>
      }
    >
      {problem ? (
        <SettingBody>
          <Banner kind="bad" boxed>
            {problemWords[problem]}{' '}
            {connection.problem_since
              ? t('Since {relative}.', { relative: relative(connection.problem_since, format) })
              : null}{' '}
            <Button
              size="small"
              aria-label={`${slotName(slot)}: ${t('Connect again')}`}
              onClick={connect}
            >
              {t('Connect again')}
            </Button>
          </Banner>
        </SettingBody>
      ) : null}
      {state === 'connecting' ? (
        <SettingBody>
          <p role="status">{t('The calendars are being read …')}</p>
        </SettingBody>
      ) : null}
      {connection.calendars.length ? (
        <SettingRow
          label={t('Which calendar')}
          hint={
            state === 'choose' ? t('Choose one: until then nothing is synchronized.') : undefined
          }
        >
          <Choice
            label={t('Which calendar')}
            value={connection.calendar}
            onChange={(calendar) => {
              if (calendar) void change({ calendar }).catch(notifyRefusal)
            }}
            options={connection.calendars.map(({ id: value, name, is_writable }) => ({
              value,
              label: is_writable ? name : t('{name} (read only)', { name }),
            }))}
          />
        </SettingRow>
      ) : null}
      <SettingRow label={t('What is read of it')} hint={reading?.hint}>
        <Choice
          label={t('What is read of it')}
          value={connection.reads}
          onChange={(value) => {
            const reads = readings.find((each) => each.value === value)?.value
            if (reads) void change({ reads }).catch(notifyRefusal)
          }}
          options={readings.map(({ value, label }) => ({ value, label }))}
        />
      </SettingRow>
      <SettingRow
        label={
          connection.last_sync_time
            ? t('Synchronized {relative}', {
                relative: relative(connection.last_sync_time, format),
              })
            : t('Not synchronized yet')
        }
        hint={`${t('{count} meeting is there | {count} meetings are there', {
          count: connection.pushed,
        })} · ${t('{count} event was read | {count} events were read', { count: connection.read })}`}
      >
        <Button
          aria-label={`${slotName(slot)}: ${t('Synchronize now')}`}
          onClick={() => void syncNow().catch(notifyRefusal)}
        >
          {t('Synchronize now')}
        </Button>
      </SettingRow>
      {faults.length ? (
        <SettingBody>
          <p>
            {t(
              '{count} entry is not the same on both sides: | {count} entries are not the same on both sides:',
              { count: connection.fault_count },
            )}
          </p>
          <ul>
            {faults.map((fault) => (
              <li key={`${fault.title} ${fault.problem}`}>
                {fault.title ?? t('An event of the calendar')}: {fault.problem}
              </li>
            ))}
          </ul>
        </SettingBody>
      ) : null}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setEnding}
        title={t('Disconnect {name}?', { name: slotName(slot) })}
        description={t(
          'Nothing is removed, neither here nor there. Changes are no longer passed on, and the sign-in is erased here.',
        )}
        confirm={t('Disconnect calendar')}
        onConfirm={() => void end().catch(notifyRefusal)}
      />
    </SettingGroup>
  )
}

type Returned = 'working' | 'refused' | 'failed' | undefined

/** Connects the calendar whose provider has just sent the person back, once; answers how far that has come. */
function useReturn(): Returned {
  const [query] = useState(() => new URLSearchParams(location.search))
  const [code, state, refusal] = ['code', 'state', 'error'].map((name) => query.get(name))
  const [returned, setReturned] = useState<Returned>(
    code && state ? 'working' : refusal ? 'refused' : undefined,
  )
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current || (!code && !refusal)) return
    isSent.current = true
    // neither a copy of the address nor a reload sends them again
    history.replaceState(null, '', location.pathname)
    if (!code || !state) return
    api
      .post('/api/calendar/connections/finish/', { body: { code, state } })
      .then(async () => {
        await queryClient.invalidateQueries({ queryKey })
        setReturned(undefined)
      })
      .catch(() => setReturned('failed'))
  }, [code, state, refusal])
  return returned
}

function slotName(slot: Slot): string {
  return slot === 'a' ? t('Calendar A') : t('Calendar B')
}

function hostOf(address: string | null): string | null {
  return address && URL.canParse(address) ? new URL(address).host : null
}
