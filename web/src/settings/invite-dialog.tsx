import { useState } from 'react'
import { api } from '../api/client.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Role } from './people-queries.ts'
import { roleName } from './role-name.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** Invites somebody by mail. */
export function InviteDialog({ roles, onClose }: { roles: Role[]; onClose: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string | null>(
    roles.find(({ kind }) => kind === 'member')?.role_id ?? null,
  )
  const { submit, isBusy, problem } = useSubmit(async () => {
    await api.post('/api/users/profile/action/', {
      body: {
        email: email.trim(),
        full_name: name.trim(),
        ...(role ? { role_id: role } : {}),
      } as never,
    })
    await queryClient.invalidateQueries({ queryKey: keys.lists('users') })
    notify({ message: t('Invitation sent to {email}', { email: email.trim() }) })
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Invite person')}
      description={t('They get a mail with a link that is valid for seven days.')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Send invitation')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {problem && !problem.fields.length ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        <Field label={t('E-mail')} required error={problem?.of('email')}>
          <TextField type="email" value={email} onChange={setEmail} autoComplete="off" />
        </Field>
        <Field label={t('Name')} required error={problem?.of('full_name')}>
          <TextField value={name} onChange={setName} autoComplete="off" />
        </Field>
        {roles.length ? (
          <Field label={t('Role')} error={problem?.of('role_id')}>
            <Choice
              value={role}
              onChange={setRole}
              options={roles.map(({ role_id, role_name }) => ({
                value: role_id,
                label: roleName(role_name),
              }))}
            />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}
