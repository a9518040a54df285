import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { SettingBody, SettingGroup } from '../ui/setting.tsx'
import { t } from '../locales/text.ts'

const queryKey = keys.setting('calendar feed')

/** The address under which a calendar program shows the person's meetings. */
export default function CalendarFeed() {
  const [isRenewing, setRenewing] = useState(false)
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/calendar/feed-url/')).data,
  })
  const renew = async () => {
    setRenewing(false)
    queryClient.setQueryData(queryKey, (await api.post('/api/calendar/feed-url/')).data)
    notify({ message: t('The calendar has a new address') })
  }
  return (
    <SectionPage
      title={t('Calendar')}
      about={t('Your meetings in Google Calendar, Outlook, Apple Calendar or any other program.')}
    >
      <SettingGroup
        title={t('Address of your calendar')}
        hint={t(
          'Add it as a calendar from the internet. Whoever has it reads your meetings: share it with nobody.',
        )}
        actions={<Button onClick={() => setRenewing(true)}>{t('Renew address')}</Button>}
      >
        <SettingBody>
          <Code code={data.url} label={t('Copy the address')} wrap />
        </SettingBody>
      </SettingGroup>
      <ConfirmDialog
        open={isRenewing}
        onOpenChange={setRenewing}
        title={t('Renew the address?')}
        description={t(
          'Programs that use the current address stop showing your meetings until you give them the new one.',
        )}
        confirm={t('Renew address')}
        danger={false}
        onConfirm={() => void renew().catch(notifyRefusal)}
      />
    </SectionPage>
  )
}
