import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useIsExternal, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { FilePicker } from '../ui/file-picker.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { languages, locales, zones } from './choices.ts'
import { ChoiceRow, TextRow } from './rows.tsx'
import { useSaved } from './use-settings.ts'
import { profileAt, WorkingTime } from './working-time.tsx'
import { t } from '../locales/text.ts'

/** The person's profile, time zone and language. */
export default function Profile() {
  const { user } = useSession()
  const queryKey = keys.setting('me')
  const path = { id: user.user_id }
  const stored = profileAt(user.user_id, queryKey)
  const { data } = useSuspenseQuery({ queryKey, queryFn: stored.queryFn })
  const saved = useSaved(data, stored)
  const me: typeof saved = {
    ...saved,
    async save(changed, message) {
      const isSaved = await saved.save(changed, message)
      // the document has the texts of one language
      if (isSaved && 'language' in changed) location.reload()
      return isSaved
    },
  }
  const isExternal = useIsExternal()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey }),
      queryClient.invalidateQueries({ queryKey: keys.session }),
    ])
  const upload = async (file: File) => {
    const body = new FormData()
    body.append('file', file)
    await api.put('/api/users/profile/{id}/image/', { path, body })
    await refresh()
    notify({ message: t('Picture saved') })
  }
  const remove = async () => {
    await api.delete('/api/users/profile/{id}/image/', { path })
    await refresh()
    notify({ message: t('Picture removed') })
  }
  return (
    <SectionPage title={t('Profile')} about={t('How colleagues and customers see you.')}>
      <SettingGroup>
        <SettingRow label={t('Picture')} hint={t('PNG, JPEG or WebP, at most 2 MiB.')}>
          <Avatar name={data.full_name} image={data.profile_image} size={40} />
          <FilePicker
            label={t('Upload picture')}
            accept="image/png,image/jpeg,image/webp"
            onFiles={([file]) => {
              if (file) void upload(file).catch(notifyRefusal)
            }}
          />
          {data.profile_image ? (
            <Button onClick={() => void remove().catch(notifyRefusal)}>{t('Remove')}</Button>
          ) : null}
        </SettingRow>
        <TextRow of={me} name="full_name" label={t('Name')} isRequired />
        <TextRow
          of={me}
          name="email"
          label={t('E-mail')}
          type="email"
          isRequired
          hint={t('You sign in with it. Both addresses are notified, and other sessions end.')}
        />
        <TextRow of={me} name="phone_no" label={t('Phone')} type="tel" />
        <TextRow of={me} name="designation" label={t('Job title')} />
        <TextRow of={me} name="department" label={t('Department')} />
      </SettingGroup>
      {isExternal ? null : (
        <SettingGroup
          title={t('Working time')}
          hint={t('How full your weeks are is counted by it.')}
        >
          <WorkingTime of={me} />
        </SettingGroup>
      )}
      <SettingGroup title={t('Language and region')}>
        <ChoiceRow
          of={me}
          name="timezone"
          label={t('Time zone')}
          hint={t('Times are shown in it.')}
          options={zones()}
          clearable
          placeholder={t('As the organization')}
        />
        <ChoiceRow
          of={me}
          name="language"
          label={t('Language')}
          hint={t('Of the screens and of mails to you.')}
          options={languages}
          clearable
          placeholder={t('As the organization')}
        />
        <ChoiceRow
          of={me}
          name="locale"
          label={t('Dates and numbers')}
          options={locales}
          clearable
          placeholder={t('From the language')}
        />
      </SettingGroup>
    </SectionPage>
  )
}
