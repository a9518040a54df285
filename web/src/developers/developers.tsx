import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazy } from 'react'
import { levelOf, useSession } from '../data/session.ts'
import type { SectionPlace } from '../records/sections/sections.tsx'
import { Sections } from '../records/sections/sections.tsx'
import { Empty } from '../ui/empty.tsx'
import type { IconName } from '../ui/icons.tsx'

const sections = [
  place('apps', 'Apps', 'plug', () => import('./apps.tsx')),
  place('webhooks', 'Webhooks', 'webhook', () => import('./webhooks.tsx')),
  place('deliveries', 'Deliveries', 'send', () => import('./deliveries.tsx')),
  place('events', 'Events', 'zap', () => import('./events.tsx')),
]

const tools = [
  place('try', 'Try it', 'code', () => import('./try-it.tsx')),
  place('inspector', 'Inspector', 'inbox', () => import('./inspector.tsx')),
]

/** The pages for developers of connectors: apps, webhooks, and tools to try both. */
export default function Developers() {
  const { section } = useParams({ strict: false }) as { section?: string }
  const session = useSession()
  if (levelOf(session, 'apps', 'read') === 'none') {
    return (
      <Empty
        as="h1"
        icon="lock"
        title="Developers is not open to you"
        action={
          <Link to="/settings/$section" params={{ section: 'tokens' }}>
            Create an access token for a script of your own
          </Link>
        }
      >
        Your role may not read apps. An admin of {session.organization.name} can let you.
      </Empty>
    )
  }
  return (
    <Sections
      title="Developers"
      base="/developers"
      current={section}
      groups={[{ sections }, { title: 'Tools', sections: tools }]}
    />
  )
}

function place(
  id: string,
  label: string,
  icon: IconName,
  load: () => Promise<{ default: ComponentType }>,
): SectionPlace {
  return { id, label, icon, load, page: lazy(load) }
}
