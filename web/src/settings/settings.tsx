import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazy } from 'react'
import { levelOf, useSession } from '../data/session.ts'
import type { SectionPlace } from '../records/sections/sections.tsx'
import { Sections } from '../records/sections/sections.tsx'
import type { IconName } from '../ui/icons.tsx'
import { t } from '../locales/text.ts'

type Place = SectionPlace & { needs?: [module: string, action: string]; isForAdmins?: boolean }

const me: Place[] = [
  place('profile', t('Profile'), 'user', () => import('./profile.tsx')),
  place('preferences', t('Preferences'), 'sliders', () => import('./preferences.tsx')),
  place('notifications', t('Notifications'), 'bell', () => import('./notifications.tsx')),
  place('sign-in', t('Sign-in and sessions'), 'key', () => import('./sign-in-and-sessions.tsx')),
  place('calendar', t('Calendar'), 'calendar', () => import('./calendar-feed.tsx'), [
    'calendar',
    'read',
  ]),
  place(
    'calendars',
    t('Connected calendars'),
    'calendar-days',
    () => import('./connected-calendars.tsx'),
    ['calendar', 'read'],
  ),
  place('tokens', t('Access tokens'), 'code', () => import('./access-tokens.tsx')),
  place('connections', t('Connected apps'), 'plug', () => import('./connections.tsx')),
]

const organization: Place[] = [
  place('organization', t('General'), 'building', () => import('./organization.tsx')),
  place('health', t('Health'), 'heart-pulse', () => import('./health.tsx'), ['accounts', 'read']),
  place('mail', t('Mail'), 'mail', () => import('./mail.tsx'), ['roles', 'read']),
  place('sharing', t('Sharing'), 'eye', () => import('./sharing.tsx'), ['roles', 'read']),
  place('security', t('Security'), 'shield', () => import('./security.tsx'), ['roles', 'update']),
  place('signing', t('Signing'), 'pencil', () => import('./signing.tsx'), ['roles', 'update']),
  place('openid', t('Single sign-on'), 'key', () => import('./openid.tsx'), ['roles', 'update']),
  {
    ...place('personal-data', t('Personal data'), 'user', () => import('./personal-data.tsx')),
    isForAdmins: true,
  },
  place('people', t('People'), 'users', () => import('./people.tsx'), ['users', 'read']),
  place('roles', t('Roles'), 'lock', () => import('./roles.tsx'), ['roles', 'read']),
]

const records: Place[] = [
  place('fields', t('Fields'), 'columns', () => import('./fields.tsx')),
  place('options', t('Option sets'), 'list', () => import('./option-sets.tsx')),
  place('pipelines', t('Pipelines'), 'handshake', () => import('./pipelines.tsx'), [
    'deals',
    'read',
  ]),
  place('statuses', t('Statuses'), 'circle-dot', () => import('./statuses.tsx')),
  place('tags', t('Tags'), 'tags', () => import('./tags.tsx'), ['tags', 'read']),
  place('holidays', t('Holidays'), 'calendar-days', () => import('./holidays.tsx'), [
    'holidays',
    'read',
  ]),
  place('feedback', t('Feedback form'), 'message-square', () => import('./feedback-form.tsx'), [
    'surveys',
    'update',
  ]),
  place('bin', t('Bin'), 'trash', () => import('./bin.tsx')),
]

/** The settings of the person and, with the right to them, of the organization, in sections. */
export default function Settings() {
  const { section } = useParams({ strict: false }) as { section?: string }
  const session = useSession()
  const isShown = ({ needs, isForAdmins }: Place) =>
    isForAdmins ? session.role.kind === 'admin' : !needs || levelOf(session, ...needs) !== 'none'
  const isConfined = session.role.is_confined
  const groups = [
    { title: t('Me'), sections: me.filter(isShown) },
    ...(isConfined
      ? []
      : [
          { title: session.organization.name, sections: organization.filter(isShown) },
          { title: t('Records'), sections: records.filter(isShown) },
        ]),
  ]
  return <Sections title={t('Settings')} base="/settings" groups={groups} current={section} />
}

function place(
  id: string,
  label: string,
  icon: IconName,
  load: () => Promise<{ default: ComponentType }>,
  needs?: [module: string, action: string],
): Place {
  return { id, label, icon, load, page: lazy(load), ...(needs ? { needs } : {}) }
}
