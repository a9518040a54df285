import { useState } from 'react'
import { api } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { refreshModule } from '../data/cached.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Role } from './people-queries.ts'
import { rolesQuery } from './people-queries.ts'
import { roleName } from './role-name.ts'
import { moduleWords } from '../data/module-words.ts'
import styles from './settings.module.css'
import { WhoCan } from './who-can.tsx'
import { inSentence, t } from '../locales/text.ts'

const actions = ['read', 'create', 'update', 'delete'] as const
type Action = (typeof actions)[number]
const actionWords: { [action in Action]: string } = {
  read: t('read [verb]'),
  create: t('create'),
  update: t('update'),
  delete: t('delete'),
}
type Level = 'none' | 'own' | 'team' | 'all'

const words: { [level in Level]: string } = {
  none: t('None'),
  own: t('Own'),
  team: t('Team'),
  all: t('All'),
}

/** One role: its name, and the level of each of its permissions. */
export function RolePage({ role, onClose }: { role: Role; onClose: () => void }) {
  const mayUpdate = useMay('roles', 'update')
  const mayDelete = useMay('roles', 'delete')
  const [name, setName] = useState(role.role_name)
  const [error, setError] = useState<string>()
  const { start: startDeletion, dialog } = useDeletion()
  const path = { id: role.role_id }

  async function change(values: Partial<Role>, message: string, undo?: Partial<Role>) {
    const before = queryClient.getQueryData<Role[]>(rolesQuery.queryKey)
    const shown = (each: Role): Role =>
      each.role_id === role.role_id
        ? { ...each, ...values, permission: merged(each.permission, values.permission) }
        : each
    await queryClient.cancelQueries({ queryKey: rolesQuery.queryKey })
    queryClient.setQueryData<Role[]>(rolesQuery.queryKey, (all) => all?.map(shown))
    try {
      await api.put('/api/users/role/{id}/', { path, body: values as never })
    } catch (caught) {
      queryClient.setQueryData(rolesQuery.queryKey, before)
      throw caught
    }
    void refreshModule('roles')
    void queryClient.invalidateQueries({ queryKey: keys.session })
    if (undo) {
      notify({ message, undo: () => change(undo, message).catch(notifyRefusal) })
    }
  }

  const set = (module: string, action: Action, level: Level) => {
    const before = role.permission[module]?.[action] ?? 'none'
    if (level === before) return
    void change(
      { permission: { [module]: { [action]: level } } },
      `${capital(moduleWords(module))}, ${actionWords[action]}: ${inSentence(words[level])}`,
      { permission: { [module]: { [action]: before } } },
    ).catch(notifyRefusal)
  }
  const rename = async () => {
    const next = name.trim()
    setError(undefined)
    if (next === role.role_name) return
    await change({ role_name: next }, t('Role renamed'), { role_name: role.role_name }).catch(
      (caught: unknown) => setError(asProblem(caught).message),
    )
  }
  const remove = async () => {
    await api.delete('/api/users/role/{id}/', { path })
    notify({ message: t('{roleName} deleted', { roleName: roleName(role.role_name) }) })
    onClose()
    await refreshModule('roles')
  }
  const modules = Object.keys(role.permission).toSorted((a, b) =>
    moduleWords(a).localeCompare(moduleWords(b)),
  )
  const isFixed = !mayUpdate
  return (
    <SectionPage
      title={roleName(role.role_name)}
      about={t(
        'How far each right reaches: one’s own records, those of one’s team, or all. Changes apply at once to everybody with the role.',
      )}
      actions={
        <Button icon="arrow-left" onClick={onClose}>
          {t('All roles')}
        </Button>
      }
    >
      {mayUpdate ? null : <WhoCan />}
      {role.kind === 'admin' ? (
        <div className={styles.who}>
          <Banner kind="warn" boxed>
            {t('Take care: only another admin can give back what you take from admins.')}
          </Banner>
        </div>
      ) : null}
      {role.is_system_role ? null : (
        <SettingGroup>
          <SettingRow label={t('Name')} error={error}>
            <TextField
              value={name}
              onChange={setName}
              disabled={!mayUpdate}
              onBlur={() => void rename()}
              onKeyDown={(event) => {
                if (event.key === 'Enter') void rename()
              }}
            />
          </SettingRow>
        </SettingGroup>
      )}
      <SettingGroup title={t('Rights')}>
        {/* a region that scrolls must be reachable by keyboard */}
        <section className={styles.scroll} tabIndex={0} aria-label={t('Rights')}>
          <table className={styles.matrix}>
            <thead>
              <tr>
                <th scope="col">{t('Records')}</th>
                {actions.map((action) => (
                  <th key={action} scope="col">
                    {capital(actionWords[action])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {modules.map((module) => (
                <tr key={module}>
                  <th scope="row">{capital(moduleWords(module))}</th>
                  {actions.map((action) => {
                    const level = role.permission[module]?.[action] ?? 'none'
                    return (
                      <td key={action}>
                        {isFixed ? (
                          words[level]
                        ) : (
                          <Choice
                            label={`${capital(moduleWords(module))}: ${actionWords[action]}`}
                            value={level}
                            onChange={(value) => {
                              if (value) set(module, action, value as Level)
                            }}
                            options={Object.entries(words).map(([value, label]) => ({
                              value,
                              label,
                            }))}
                          />
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </SettingGroup>
      {mayDelete && !role.is_system_role ? (
        <SettingGroup>
          <SettingRow label={t('Delete this role')} hint={t('Only possible if nobody has it.')}>
            <Button
              variant="danger"
              onClick={() =>
                startDeletion({
                  module: 'role',
                  id: role.role_id,
                  name: role.role_name,
                  isAsked: true,
                  remove,
                })
              }
            >
              {t('Delete role')}
            </Button>
          </SettingRow>
        </SettingGroup>
      ) : null}
      {dialog}
    </SectionPage>
  )
}

function merged(permission: Role['permission'], more?: Role['permission']): Role['permission'] {
  if (!more) return permission
  return {
    ...permission,
    ...Object.fromEntries(
      Object.entries(more).map(([module, levels]) => [
        module,
        { ...permission[module], ...levels },
      ]),
    ),
  }
}
