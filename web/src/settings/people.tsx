import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import { moduleQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { levelOf, seeAs, useMay, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { Menu } from '../ui/menu.tsx'
import { ItemRow } from '../ui/setting.tsx'
import { Status } from '../ui/status.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import type { Role, User } from './people-queries.ts'
import { peopleQuery, rolesQuery } from './people-queries.ts'
import { ReportsToDialog } from './reports-to-dialog.tsx'
import { roleName } from './role-name.ts'
import { Searched, useSearch } from './searched.tsx'
import styles from './settings.module.css'
import { WorkingTimeDialog } from './working-time.tsx'
import { t } from '../locales/text.ts'

/** Everybody in the organization: invitations, roles, and deactivation. */
export default function People() {
  const search = useSearch()
  const [isInviting, setInviting] = useState(false)
  const mayInvite = useMay('users', 'create')
  const read = useQuery(peopleQuery(search.q, search.page))
  const mayReadRoles = useMay('roles', 'read')
  const { data: roles = [], isLoading } = useQuery({ ...rolesQuery, enabled: mayReadRoles })
  return (
    <SectionPage
      title={t('People')}
      about={t('Who works here, and customers and partners who can sign in.')}
      actions={
        mayInvite ? (
          <Button variant="primary" icon="user-plus" onClick={() => setInviting(true)}>
            {t('Invite person')}
          </Button>
        ) : null
      }
    >
      <Searched
        label={t('Search people')}
        fault={t('The people could not be read')}
        search={search}
        // rows with a role select are higher
        read={isLoading ? { ...read, data: undefined, isPending: true } : read}
        row={(user) => <Row key={user.user_id} user={user} roles={roles} />}
        noMatch={t('Search by name or e-mail.')}
      />
      {isInviting ? <InviteDialog roles={roles} onClose={() => setInviting(false)} /> : null}
    </SectionPage>
  )
}

function Row({ user, roles }: { user: User; roles: Role[] }) {
  const session = useSession()
  const navigate = useNavigate()
  // without suspending, which would hide the page for a moment
  const { data: module } = useQuery(moduleQuery('users'))
  const [step, setStep] = useState<'deactivate' | 'reports' | 'time'>()
  const isMe = user.user_id === session.user.user_id
  const mayUpdate = levelOf(session, 'users', 'update') !== 'none'
  const change = (
    values: { [name: string]: unknown },
    message: string,
    shown: { [name: string]: unknown } = {},
  ) => {
    if (!module) return
    void changeRecord(module, user.profile_id, values, { message, shown }).catch(notifyRefusal)
  }
  const isPending = user.is_invited
  const invite = () =>
    api
      .post('/api/users/profile/action/', { body: { email: user.email } as never })
      .then(() => notify({ message: t('Invitation sent to {email}', { email: user.email }) }))
      .catch(notifyRefusal)
  const endSessions = () =>
    api
      .delete('/api/users/profile/{id}/sessions/', { path: { id: user.user_id } })
      .then(() =>
        notify({
          message: t('{full_name} is signed out everywhere', { full_name: user.full_name }),
        }),
      )
      .catch(notifyRefusal)
  const mayLook = session.role.kind === 'admin' && user.is_active && !isMe
  // customers and partners have the portal in place of these screens
  const kind = roles.find(({ role_id }) => role_id === user.role_id)?.kind
  const look = () => {
    if (kind === 'customer' || kind === 'partner') {
      location.assign(`/portal/preview/${user.user_id}`)
      return
    }
    seeAs({ user_id: user.user_id, full_name: user.full_name })
      .then(() => navigate({ to: '/' }))
      .catch(notifyRefusal)
  }
  const items: MenuItem[] = [
    ...(mayLook
      ? [
          {
            label: t('See as {full_name}', { full_name: user.full_name }),
            icon: 'eye',
            onSelect: look,
          } as const,
        ]
      : []),
    { label: t('Reports to…'), icon: 'list-tree', onSelect: () => setStep('reports') },
    { label: t('Working time…'), icon: 'clock', onSelect: () => setStep('time') },
    ...(user.is_active
      ? [
          {
            label: t('Sign out everywhere'),
            icon: 'sign-out',
            onSelect: () => void endSessions(),
          } as const,
        ]
      : []),
    ...(isPending
      ? [{ label: t('Invite again'), icon: 'mail', onSelect: () => void invite() } as const]
      : []),
    ...(isMe || isPending
      ? []
      : ([
          { kind: 'separator' },
          user.is_active
            ? {
                label: t('Deactivate…'),
                icon: 'circle-x',
                danger: true,
                onSelect: () => setStep('deactivate'),
              }
            : {
                label: t('Activate'),
                icon: 'circle-check',
                onSelect: () =>
                  change(
                    { is_active: true },
                    t('{full_name} is active again', { full_name: user.full_name }),
                  ),
              },
        ] satisfies MenuItem[])),
  ]
  return (
    <>
      <ItemRow
        lead={<Avatar name={user.full_name} image={user.profile_image} size={28} />}
        name={user.full_name}
        marks={
          user.is_active ? (
            isMe ? (
              <span className={styles.quiet}>{t('You')}</span>
            ) : null
          ) : (
            <Status tone={isPending ? 'info' : 'quiet'}>
              {isPending ? t('Invited') : t('Inactive')}
            </Status>
          )
        }
        actions={
          mayUpdate && roles.length ? (
            <>
              <Choice
                label={t('Role of {full_name}', { full_name: user.full_name })}
                value={user.role_id}
                disabled={isMe}
                onChange={(role) => {
                  const chosen = roles.find(({ role_id }) => role_id === role)
                  if (!chosen || role === user.role_id) return
                  change(
                    { role_id: chosen.role_id },
                    t('{full_name} is {role} now', {
                      full_name: user.full_name,
                      role: roleName(chosen.role_name),
                    }),
                    { role: chosen.role_name },
                  )
                }}
                options={roles.map(({ role_id, role_name }) => ({
                  value: role_id,
                  label: roleName(role_name),
                }))}
              />
              <Menu
                align="end"
                items={items}
                trigger={
                  <IconButton
                    icon="more"
                    label={t('Actions for {full_name}', { full_name: user.full_name })}
                  />
                }
              />
            </>
          ) : (
            roleName(user.role ?? '')
          )
        }
      >
        {[
          user.email,
          user.designation,
          user.reports_to
            ? t('reports to {manager}', { manager: user.reports_to.full_name })
            : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </ItemRow>
      {step === 'deactivate' ? (
        <DeactivateDialog
          user={user}
          onDeactivate={() =>
            change(
              { is_active: false },
              t('{full_name} is deactivated', { full_name: user.full_name }),
            )
          }
          onClose={() => setStep(undefined)}
        />
      ) : null}
      {step === 'time' ? (
        <WorkingTimeDialog user={user} onClose={() => setStep(undefined)} />
      ) : null}
      {step === 'reports' ? (
        <ReportsToDialog
          user={user}
          onClose={() => setStep(undefined)}
          onSave={(person) =>
            change(
              { reports_to: person?.id ?? null },
              person
                ? t('{full_name} reports to {manager}', {
                    full_name: user.full_name,
                    manager: person.name,
                  })
                : t('{full_name} reports to nobody', { full_name: user.full_name }),
              { reports_to: person ? { user_id: person.id, full_name: person.name } : null },
            )
          }
        />
      ) : null}
    </>
  )
}
