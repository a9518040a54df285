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
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { t } from '../locales/text.ts'

/** The apps that act in the person's name. */
export default function Connections() {
  const format = useFormat()
  const queryKey = keys.setting('connections')
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/connections/')).data,
  })
  const [ending, setEnding] = useState<(typeof data)[number]>()
  const end = async (id: string) => {
    await api.delete('/api/connections/{id}/', { path: { id } })
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: t('App disconnected') })
    setEnding(undefined)
  }
  return (
    <SectionPage
      title={t('Connected apps')}
      about={t('Apps that act in your name, within what you allowed.')}
    >
      <SettingGroup>
        {data.map((each) => (
          <ItemRow
            key={each.connection_id}
            lead={<Icon name="plug" />}
            name={each.app_name}
            actions={
              <Button size="small" onClick={() => setEnding(each)}>
                {t('Disconnect')}
              </Button>
            }
          >
            {each.description ? <div>{each.description}</div> : null}
            {t('Connected {day}', { day: day(each.creation_time, format) })}
            {each.last_used_at
              ? ` · ${t('last used {relative}', { relative: relative(each.last_used_at, format) })}`
              : ''}
            {each.subscriptions
              ? ` · ${t('{count} webhook | {count} webhooks', { count: each.subscriptions })}`
              : ''}
          </ItemRow>
        ))}
        {data.length ? null : (
          <Empty small icon="plug" title={t('No app is connected')}>
            {t('When you let an app act for you, it is listed here and can be disconnected.')}
          </Empty>
        )}
      </SettingGroup>
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={t('Disconnect {app_name}?', { app_name: ending?.app_name ?? '' })}
        description={t(
          'Its tokens stop working at once, and its webhooks end. You can connect it again.',
        )}
        confirm={t('Disconnect app')}
        onConfirm={() => {
          if (ending) void end(ending.connection_id).catch(notifyRefusal)
        }}
      />
    </SectionPage>
  )
}
