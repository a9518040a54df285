import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { AppForm } from './app-form.tsx'
import { AppPage } from './app-page.tsx'
import { appsQuery } from './queries.ts'
import { t } from '../locales/text.ts'

/** The apps of the organization, or the one in the address. */
export default function Apps() {
  const [id, setId] = useSearchValue('app')
  const [isCreating, setCreating] = useState(false)
  const mayCreate = useMay('apps', 'create')
  const { data: apps } = useSuspenseQuery(appsQuery)
  const app = apps.find(({ app_id }) => app_id === id)
  if (app) return <AppPage key={app.app_id} app={app} onClose={() => setId()} />
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Create app')}
    </Button>
  )
  return (
    <SectionPage
      title={t('Apps')}
      about={
        <>
          {t(
            'An app is a connector: it acts for the people who connect it, within the scopes that you give it.',
          )}{' '}
          <Link to="/settings/$section" params={{ section: 'tokens' }}>
            {t('For a script of your own an access token is enough.')}
          </Link>
        </>
      }
      actions={mayCreate && apps.length ? create : null}
    >
      <SettingGroup>
        {apps.map((each) => (
          <ItemRow
            key={each.app_id}
            lead={<Icon name="plug" />}
            name={
              <button type="button" onClick={() => setId(each.app_id)}>
                {each.name}
              </button>
            }
            actions={
              <>
                {t('{count} connection | {count} connections', { count: each.connections })}
                <Icon name="chevron-right" />
              </>
            }
          >
            {each.description || each.client_id}
          </ItemRow>
        ))}
        {apps.length ? null : (
          <Empty
            small
            icon="plug"
            title={t('No apps yet')}
            action={mayCreate ? create : null}
            as="h2"
          >
            {t(
              'Create one to connect another product, or a script of your own, to this workspace.',
            )}
          </Empty>
        )}
      </SettingGroup>
      {isCreating ? (
        <AppForm
          onClose={(created) => {
            setCreating(false)
            if (created) setId(created)
          }}
        />
      ) : null}
    </SectionPage>
  )
}
