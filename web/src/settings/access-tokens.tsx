import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { day, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingBody, SettingGroup } from '../ui/setting.tsx'
import { AccessTokenForm } from './access-token-form.tsx'
import { firstRequest, scopeWords } from './token-scopes.ts'
import { t } from '../locales/text.ts'

const queryKey = keys.setting('access tokens')

/** The tokens with which the person's own scripts call the API. */
export default function AccessTokens() {
  const format = useFormat()
  const { data: tokens } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/access-tokens/')).data,
  })
  const [isCreating, setCreating] = useState(false)
  const [ending, setEnding] = useState<(typeof tokens)[number]>()
  const revoke = async (id: string) => {
    await api.delete('/api/access-tokens/{id}/', { path: { id } })
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: t('Token revoked') })
    setEnding(undefined)
  }
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Create token')}
    </Button>
  )
  return (
    <SectionPage
      title={t('Access tokens')}
      about={t(
        'A token lets a script of your own call the API as you, within the scopes that you choose.',
      )}
      actions={tokens.length ? create : null}
    >
      <SettingGroup>
        {tokens.map((each) => (
          <ItemRow
            key={each.access_token_id}
            lead={<Icon name="key" />}
            name={each.name}
            actions={
              <Button
                size="small"
                aria-label={t('Revoke {name}', { name: each.name })}
                onClick={() => setEnding(each)}
              >
                {t('Revoke')}
              </Button>
            }
          >
            <div>{each.scopes.map(scopeWords).join(', ')}</div>
            {each.last_used_at
              ? t('Last used {relative}', { relative: relative(each.last_used_at, format) })
              : t('Not used yet')}
            {` · ${t('expires {day}', { day: day(each.expires_at, format) })}`}
          </ItemRow>
        ))}
        {tokens.length ? null : (
          <>
            <Empty small icon="key" title={t('No access tokens yet')} action={create}>
              {t(
                'Create one for a script, a spreadsheet or a scheduled job. It sends the token with each request:',
              )}
            </Empty>
            <SettingBody>
              <Code code={firstRequest('pat_…')} label={t('Copy the example')} wrap />
            </SettingBody>
          </>
        )}
      </SettingGroup>
      {isCreating ? (
        <AccessTokenForm queryKey={queryKey} onClose={() => setCreating(false)} />
      ) : null}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={t('Revoke {name}?', { name: ending?.name ?? '' })}
        description={t('Scripts that use it stop working at once. This cannot be undone.')}
        confirm={t('Revoke token')}
        onConfirm={() => {
          if (ending) void revoke(ending.access_token_id).catch(notifyRefusal)
        }}
      />
    </SectionPage>
  )
}
