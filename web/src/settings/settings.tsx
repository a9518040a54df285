import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazy } from 'react'
import { levelOf, useSession } from '../data/session.ts'
import type { SectionPlace } from '../records/sections/sections.tsx'
import { Sections } from '../records/sections/sections.tsx'
import type { IconName } from '../ui/icons.tsx'

type Place = SectionPlace & { needs?: [module: string, action: string]; isForAdmins?: boolean }

const me: Place[] = [
  place('profile', 'Profile', 'user', () => import('./profile.tsx')),
  place('preferences', 'Preferences', 'sliders', () => import('./preferences.tsx')),
  place('notifications', 'Notifications', 'bell', () => import('./notifications.tsx')),
  place('sign-in', 'Sign-in and sessions', 'key', () => import('./sign-in-and-sessions.tsx')),
  place('calendar', 'Calendar', 'calendar', () => import('./calendar-feed.tsx'), [
    'calendar',
    'read',
  ]),
  place('tokens', 'Access tokens', 'code', () => import('./access-tokens.tsx')),
  place('connections', 'Connected apps', 'plug', () => import('./connections.tsx')),
]

const organization: Place[] = [
  place('organization', 'General', 'building', () => import('./organization.tsx')),
  place('health', 'Health', 'heart-pulse', () => import('./health.tsx'), ['accounts', 'read']),
  place('mail', 'Mail', 'mail', () => import('./mail.tsx'), ['roles', 'read']),
  place('sharing', 'Sharing', 'eye', () => import('./sharing.tsx'), ['roles', 'read']),
  place('security', 'Security', 'shield', () => import('./security.tsx'), ['roles', 'update']),
  place('signing', 'Signing', 'pencil', () => import('./signing.tsx'), ['roles', 'update']),
  place('openid', 'Single sign-on', 'key', () => import('./openid.tsx'), ['roles', 'update']),
  {
    ...place('personal-data', 'Personal data', 'user', () => import('./personal-data.tsx')),
    isForAdmins: true,
  },
  place('people', 'People', 'users', () => import('./people.tsx'), ['users', 'read']),
  place('roles', 'Roles', 'lock', () => import('./roles.tsx'), ['roles', 'read']),
]

const records: Place[] = [
  place('fields', 'Fields', 'columns', () => import('./fields.tsx')),
  place('options', 'Option sets', 'list', () => import('./option-sets.tsx')),
  place('pipelines', 'Pipelines', 'handshake', () => import('./pipelines.tsx'), ['deals', 'read']),
  place('statuses', 'Statuses', 'circle-dot', () => import('./statuses.tsx')),
  place('tags', 'Tags', 'tags', () => import('./tags.tsx'), ['tags', 'read']),
  place('holidays', 'Holidays', 'calendar-days', () => import('./holidays.tsx'), [
    'holidays',
    'read',
  ]),
  place('feedback', 'Feedback form', 'message-square', () => import('./feedback-form.tsx'), [
    'surveys',
    'update',
  ]),
  place('bin', 'Bin', 'trash', () => import('./bin.tsx')),
]

/** The settings of the person and, with the right to them, of the organization, in sections. */
export default function Settings() {
  const { section } = useParams({ strict: false }) as { section?: string }
  const session = useSession()
  const isShown = ({ needs, isForAdmins }: Place) =>
    isForAdmins ? session.role.kind === 'admin' : !needs || levelOf(session, ...needs) !== 'none'
  const isConfined = session.role.is_confined
  const groups = [
    { title: 'Me', sections: me.filter(isShown) },
    ...(isConfined
      ? []
      : [
          { title: session.organization.name, sections: organization.filter(isShown) },
          { title: 'Records', sections: records.filter(isShown) },
        ]),
  ]
  return <Sections title="Settings" base="/settings" groups={groups} current={section} />
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
