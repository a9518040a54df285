import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { Tag } from '../ui/tag.tsx'
import { rolesQuery } from './people-queries.ts'
import { RoleDialog } from './role-dialog.tsx'
import { roleName } from './role-name.ts'
import { RolePage } from './role-page.tsx'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

const kinds: { [kind: string]: string } = {
  admin: t('May do everything, settings included'),
  manager: t('Leads a team'),
  member: t('Works with customers'),
  customer: t('Sees what is shared with their company'),
  partner: t('Sees the projects that they take part in'),
  observer: t('Reads what they are attached to'),
}

/** The roles, and what one of them may do. */
export default function Roles() {
  const { data: roles } = useSuspenseQuery(rolesQuery)
  const [id, setId] = useSearchValue('role')
  const [isCreating, setCreating] = useState(false)
  const mayCreate = useMay('roles', 'create')
  const mayUpdate = useMay('roles', 'update')
  const role = roles.find(({ role_id }) => role_id === id)
  if (role) return <RolePage key={role.role_id} role={role} onClose={() => setId()} />
  return (
    <SectionPage
      title={t('Roles')}
      about={t('What people may do, by kind of record. Changes apply on their screens at once.')}
      actions={
        mayCreate ? (
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('Create role')}
          </Button>
        ) : null
      }
    >
      {mayUpdate ? null : <WhoCan />}
      <SettingGroup>
        {roles.map((each) => (
          <ItemRow
            key={each.role_id}
            lead={<Icon name="lock" />}
            name={
              <button type="button" onClick={() => setId(each.role_id)}>
                {roleName(each.role_name)}
              </button>
            }
            marks={each.is_system_role ? <Tag neutral>{t('Built in')}</Tag> : null}
            actions={<Icon name="chevron-right" />}
          >
            {kinds[each.kind]}
          </ItemRow>
        ))}
      </SettingGroup>
      {isCreating ? (
        <RoleDialog
          roles={roles}
          onClose={(created) => {
            setCreating(false)
            if (created) setId(created)
          }}
        />
      ) : null}
    </SectionPage>
  )
}
