import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { useState } from 'react'
import { conflictOf, sendIfUnchanged } from '../../data/change.ts'
import type { Dashboard, DashboardAccess } from '../../data/dashboards.ts'
import { createDashboard, newDashboardId, saveDashboard } from '../../data/dashboards.ts'
import { asProblem } from '../../api/problem.ts'
import { useMay } from '../../data/session.ts'
import { personQuery } from '../../data/templates.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { searchPeople } from '../../records/field/choices.ts'
import { roleName } from '../../settings/role-name.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PersonField } from '../../ui/person-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './edit.module.css'
import { ranges, rangeWords } from '../words.ts'
import { t } from '../../locales/text.ts'

type Access = Pick<DashboardAccess, 'access_type' | 'access_id' | 'permission_level'>
type Visibility = Dashboard['visibility']

const visibilities: { value: Visibility; label: string; description: string }[] = [
  { value: 'private', label: t('Only me'), description: t('Nobody else sees it') },
  {
    value: 'restricted',
    label: t('Chosen people'),
    description: t('The people and roles that you choose'),
  },
  { value: 'public', label: t('Everyone'), description: t('Your whole organization') },
]

const levels = [
  { value: 'view', label: t('May see it') },
  { value: 'edit', label: t('May change it') },
]

type Props = {
  /** the one to change; without it a new one is created */
  dashboard?: Dashboard
  onClose: () => void
  /** with the one that was created */
  onSaved: (dashboard: Dashboard) => void
}

/** The name of a dashboard, the time that it opens with, and who sees and changes it. */
export default function DashboardDialog({ dashboard, onClose, onSaved }: Props) {
  const [name, setName] = useState(dashboard?.dashboard_name ?? '')
  const [visibility, setVisibility] = useState<Visibility>(dashboard?.visibility ?? 'private')
  const [range, setRange] = useState(dashboard?.time_range_default ?? '30_days')
  const [access, setAccess] = useState<Access[]>(dashboard?.access_list ?? [])
  const [key] = useState(newDashboardId)
  const { submit, isBusy, problem } = useSubmit(async () => {
    const content = {
      dashboard_name: name.trim(),
      visibility,
      time_range_default: range,
      access_list: access.map(({ access_type, access_id, permission_level }) => ({
        access_type,
        access_id,
        permission_level,
      })),
    }
    if (!dashboard) return onSaved(await createDashboard(content, key))
    const { dashboard_id: id, version } = dashboard
    onSaved(
      await sendIfUnchanged(version, Object.keys(content), (headers) =>
        saveDashboard(id, content, headers),
      ),
    )
  })
  const isConflict = problem && conflictOf(asProblem(problem))
  const error = problem?.of('dashboard_name')
  const options = ranges.includes(range) ? ranges : [range, ...ranges]
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={dashboard ? t('Name and share') : t('New dashboard')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            {dashboard ? t('Save') : t('Create')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Name')} required {...(error ? { error } : {})}>
          <TextField value={name} onChange={setName} maxLength={100} autoFocus />
        </Field>
        <Field label={t('Time that it opens with')}>
          <Choice
            value={range}
            options={options.map((value) => ({ value, label: rangeWords(value) }))}
            onChange={(next) => setRange(next ?? '30_days')}
          />
        </Field>
        <Field label={t('Who sees it')}>
          <Choice
            value={visibility}
            options={visibilities}
            onChange={(next) => setVisibility((next ?? 'private') as Visibility)}
          />
        </Field>
        {visibility === 'restricted' ? <AccessList access={access} onChange={setAccess} /> : null}
        {visibility === 'private' ? null : (
          <p className={styles.note}>
            {t('Everyone sees the numbers of the records that they may see.')}
          </p>
        )}
        {isConflict ? (
          <p role="alert">{t('Somebody changed it meanwhile. Close this and look again.')}</p>
        ) : problem && !error ? (
          <p role="alert">{problem.message}</p>
        ) : null}
      </div>
    </Dialog>
  )
}

const rolesQuery = queryOptions({
  queryKey: keys.list('roles', { names: true }),
  queryFn: async ({ signal }) => (await api.get('/api/users/role/', { query: {}, signal })).data,
})

type ListProps = { access: Access[]; onChange: (access: Access[]) => void }

/** The people and roles that have access beside the owner. */
function AccessList({ access, onChange }: ListProps) {
  const mayReadRoles = useMay('roles', 'read')
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: mayReadRoles })
  const add = (access_type: Access['access_type'], access_id: string) => {
    if (access.some((each) => each.access_type === access_type && each.access_id === access_id))
      return
    onChange([...access, { access_type, access_id, permission_level: 'view' }])
  }
  const free = roles.filter(({ role_id }) => !access.some(({ access_id }) => access_id === role_id))
  return (
    <div className={styles.access}>
      {access.length ? (
        <ul>
          {access.map((each, at) => (
            <li key={`${each.access_type} ${each.access_id}`}>
              <AccessEntry
                access={each}
                role={roles.find(({ role_id }) => role_id === each.access_id)?.role_name}
                onChange={(permission_level) =>
                  onChange(access.with(at, { ...each, permission_level }))
                }
                onRemove={() => onChange(access.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <PersonField
        label={t('Add a person')}
        placeholder={t('Add a person')}
        value={null}
        search={searchPeople}
        onChange={(person) => person && add('user', person.id)}
      />
      {free.length ? (
        <Choice
          label={t('Add a role')}
          placeholder={t('Add a role')}
          value={null}
          options={free.map(({ role_id, role_name }) => ({
            value: role_id,
            label: roleName(role_name),
          }))}
          onChange={(id) => id && add('role', id)}
        />
      ) : null}
    </div>
  )
}

type EntryProps = {
  access: Access
  role: string | undefined
  onChange: (level: Access['permission_level']) => void
  onRemove: () => void
}

function AccessEntry({ access, role, onChange, onRemove }: EntryProps) {
  const isUser = access.access_type === 'user'
  const { data: person } = useQuery(personQuery(isUser ? access.access_id : null))
  const name = isUser ? (person?.name ?? '…') : role ? roleName(role) : t('A role')
  return (
    <div className={styles.entry}>
      <span>{name}</span>
      <Choice
        label={t('What {name} may do', { name })}
        value={access.permission_level}
        options={levels}
        onChange={(next) => onChange((next ?? 'view') as Access['permission_level'])}
      />
      <IconButton size="small" icon="x" label={t('Remove {name}', { name })} onClick={onRemove} />
    </div>
  )
}
