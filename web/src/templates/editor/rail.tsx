import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { useMay } from '../../data/session.ts'
import type { TemplateUse, TemplateUseBody } from '../../data/templates.ts'
import { personQuery, templateUseQuery, versionsQuery } from '../../data/templates.ts'
import { day, instant, shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Bar } from '../bars.tsx'
import { roleWord } from './lines.ts'
import { RoleDialog } from './role-dialog.tsx'
import { RoleSign } from './role-sign.tsx'
import type { TemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

export type When = { by: 'start_date' | 'go_live_date'; day: string | null }

type PreviewProps = {
  when: When
  onWhen: (when: When) => void
  data: TemplateUse | undefined
  error: unknown
}

/** The preview of the draft: its dates from the start or back from the day of going live. */
export function usePreview(id: string, when: When, version: number) {
  const mayUse = useMay('projects', 'create')
  const body: TemplateUseBody = {
    draft: true,
    rows: true,
    ...(when.day ? { [when.by]: when.day } : {}),
  }
  return { mayUse, ...useQuery({ ...templateUseQuery(id, body, version), enabled: mayUse }) }
}

export function PreviewPart({ when, onWhen, data, error }: PreviewProps) {
  const format = useFormat()
  const at = (text: string) => Date.parse(text) / 86_400_000
  const start = at(data?.start_date ?? '')
  const end = at(data?.go_live_date ?? '')
  const holidays = data?.conflicts.find(({ kind }) => kind === 'holidays')
  return (
    <section aria-label={t('Preview')}>
      <h2>{t('Preview')}</h2>
      <div className={styles.when}>
        <SegmentedControl
          label={t('Count from')}
          value={when.by}
          onChange={(by) => onWhen({ by, day: data?.[by] ?? when.day })}
          options={[
            { value: 'start_date', label: t('Start') },
            { value: 'go_live_date', label: t('Go-live') },
          ]}
        />
        <DateField
          label={when.by === 'start_date' ? t('Start on') : t('Go live on')}
          value={when.day}
          onChange={(next) => onWhen({ ...when, day: next })}
        />
      </div>
      {error ? <p role="alert">{asProblem(error).message}</p> : null}
      {data ? (
        <>
          <table className={styles.dates}>
            <tbody>
              {data.milestones.map(({ name, start_date, due_date }, row) => (
                // they have no ids yet
                <tr key={row}>
                  <th scope="row">{name}</th>
                  <td>
                    <Bar
                      start={at(start_date) - start}
                      end={at(due_date) - start + 1}
                      length={end - start + 1}
                    />
                  </td>
                  <td>
                    <time dateTime={due_date}>{shortDay(due_date, format)}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.go_live_date ? (
            <p role="status">
              {t('Live on')} <strong>{day(data.go_live_date, format)}</strong>.{' '}
              {holidays
                ? holidays.text.replaceAll(/\d{4}-\d\d-\d\d/g, (each) => day(each, format))
                : ''}
            </p>
          ) : null}
        </>
      ) : null}
    </section>
  )
}

/** The roles of a template, with how many tasks each has. */
export function RolesPart({ work }: { work: TemplateWork }) {
  const { roles, lines, mayEdit } = work
  const [edited, setEdited] = useState<string | null>()
  const count = (key: string) =>
    lines.tasks.filter(({ role }) => role !== null && roleWord(role) === roleWord(key)).length
  return (
    <section aria-label={t('Roles')}>
      <h2>
        {t('Roles')} <small>{roles.length}</small>
        {mayEdit ? (
          <IconButton
            label={t('New role')}
            icon="plus"
            size="small"
            onClick={() => setEdited(null)}
          />
        ) : null}
      </h2>
      <ul>
        {roles.map((role) => {
          const sign = <RoleSign name={role.name} isTheirs={role.side === 'customer'} />
          return (
            <li key={role.key} className={styles.line}>
              {mayEdit ? (
                <button type="button" onClick={() => setEdited(role.key)}>
                  {sign}
                </button>
              ) : (
                <span>{sign}</span>
              )}
              <small>{t('{count} task | {count} tasks', { count: count(role.key) })}</small>
              {role.side === 'customer' ? (
                <small>{t('asked')}</small>
              ) : (
                <DefaultPerson role={role} />
              )}
            </li>
          )
        })}
      </ul>
      {edited !== undefined ? (
        <RoleDialog work={work} roleKey={edited} onClose={() => setEdited(undefined)} />
      ) : null}
    </section>
  )
}

function DefaultPerson({ role }: { role: TemplateWork['roles'][number] }) {
  const { data } = useQuery(personQuery(role.default_user_id ?? null))
  return data ? <Avatar name={data.name} image={data.image} size={20} label /> : null
}

type VersionsProps = {
  id: string
  published: number
  isDraft: boolean
  /** how many running projects are of an older version */
  older: number
  onUpdate: () => void
  onCompare: () => void
}

/** The versions of a template, the draft first. */
export function VersionsPart({
  id,
  published,
  isDraft,
  older,
  onUpdate,
  onCompare,
}: VersionsProps) {
  const format = useFormat()
  const { data = [] } = useQuery(versionsQuery(id))
  return (
    <section aria-label={t('Versions')}>
      <h2>{t('Versions')}</h2>
      <ol>
        {isDraft ? (
          <li className={styles.version}>
            <strong>{t('Draft {version}', { version: published + 1 })}</strong>
            <span>{t('not published')}</span>
          </li>
        ) : null}
        {data.slice(0, 8).map(({ number, note, creation_time }) => (
          <li key={number} className={styles.version}>
            <strong>{number}</strong>
            <span title={note ?? undefined}>{note ?? t('no note')}</span>
            {creation_time ? (
              <time dateTime={creation_time} title={instant(creation_time, format)}>
                {day(creation_time.slice(0, 10), format)}
              </time>
            ) : null}
          </li>
        ))}
      </ol>
      <p className={styles.acts}>
        {older ? (
          <Button icon="refresh-cw" onClick={onUpdate}>
            {t('Update {count} running project | Update {count} running projects', {
              count: older,
            })}
          </Button>
        ) : null}
        {isDraft || published > 1 ? (
          <Button variant="quiet" onClick={onCompare}>
            {t('Compare')}
          </Button>
        ) : null}
      </p>
    </section>
  )
}
