import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazy } from 'react'
import { levelOf, useSession } from '../data/session.ts'
import type { SectionPlace } from '../records/sections/sections.tsx'
import { Sections } from '../records/sections/sections.tsx'
import { Empty } from '../ui/empty.tsx'
import type { IconName } from '../ui/icons.tsx'
import { t } from '../locales/text.ts'

const sections = [
  place('apps', t('Apps'), 'plug', () => import('./apps.tsx')),
  place('webhooks', t('Webhooks'), 'webhook', () => import('./webhooks.tsx')),
  place('deliveries', t('Deliveries'), 'send', () => import('./deliveries.tsx')),
  place('events', t('Events'), 'zap', () => import('./events.tsx')),
]

const tools = [
  place('try', t('Try it'), 'code', () => import('./try-it.tsx')),
  place('inspector', t('Inspector'), 'inbox', () => import('./inspector.tsx')),
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
        title={t('Developers is not open to you')}
        action={
          <Link to="/settings/$section" params={{ section: 'tokens' }}>
            {t('Create an access token for a script of your own')}
          </Link>
        }
      >
        {t('Your role may not read apps. An admin of {name} can let you.', {
          name: session.organization.name,
        })}
      </Empty>
    )
  }
  return (
    <Sections
      title={t('Developers')}
      base="/developers"
      current={section}
      groups={[{ sections }, { title: t('Tools'), sections: tools }]}
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
