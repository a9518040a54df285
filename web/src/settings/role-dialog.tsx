import { useState } from 'react'
import { api } from '../api/client.ts'
import { refreshModule } from '../data/cached.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Role } from './people-queries.ts'
import { roleName } from './role-name.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** Creates a role as a copy of another one, to be changed in its matrix. */
export function RoleDialog({
  roles,
  onClose,
}: {
  roles: Role[]
  onClose: (created?: string) => void
}) {
  const [name, setName] = useState('')
  const [like, setLike] = useState<string | null>(
    roles.find(({ kind }) => kind === 'member')?.role_id ?? null,
  )
  const { submit, isBusy, problem } = useSubmit(async () => {
    const model = roles.find(({ role_id }) => role_id === like)
    const { data } = await api.post('/api/users/role/', {
      body: {
        role_name: name.trim(),
        ...(model ? { kind: model.kind, permission: model.permission } : {}),
      } as never,
    })
    await refreshModule('roles')
    onClose((data as Role).role_id)
  })
  return (
    <Dialog
      open
      onOpenChange={() => onClose()}
      title={t('Create role')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Create role')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field
          label={t('Name')}
          required
          error={problem?.of('role_name') ?? problem?.of('name') ?? problem?.message}
        >
          <TextField value={name} onChange={setName} maxLength={100} />
        </Field>
        <Field label={t('Like')} hint={t('It begins with the same rights.')}>
          <Choice
            value={like}
            onChange={setLike}
            options={roles.map(({ role_id, role_name }) => ({
              value: role_id,
              label: roleName(role_name),
            }))}
          />
        </Field>
      </div>
    </Dialog>
  )
}
