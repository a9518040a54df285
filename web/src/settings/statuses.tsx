import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { levelOf, useSession } from '../data/session.ts'
import { changeConfigured } from '../data/settings.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { OptionList } from './option-list.tsx'
import { WhoCan } from './who-can.tsx'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

type StatusSettings = components['schemas']['StatusSettings']
type Category = components['schemas']['StatusCategory']
type More = { category: Category }

const queryKey = keys.setting('statuses')

const categories: { value: Category; label: string }[] = [
  { value: 'not_started', label: t('Not started') },
  { value: 'in_progress', label: t('In progress') },
  { value: 'on_hold', label: t('On hold') },
  { value: 'completed', label: t('Completed') },
  { value: 'cancelled', label: t('Cancelled') },
]

/** The statuses of projects, milestones and tasks. */
export default function Statuses() {
  const session = useSession()
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/organization/settings/statuses/')).data,
  })
  const mayChange = levelOf(session, 'roles', 'update') !== 'none'
  return (
    <SectionPage
      title={t('Statuses')}
      about={t(
        'The state of work, for everybody. The category decides what counts as done and late; you choose names and colors.',
      )}
    >
      {mayChange ? null : <WhoCan what="statuses" />}
      {data.map((each) => (
        <One key={each.module} of={each} isReadOnly={!mayChange} />
      ))}
    </SectionPage>
  )
}

function One({ of, isReadOnly }: { of: StatusSettings; isReadOnly: boolean }) {
  const path = { module: of.module }
  type Status = StatusSettings['statuses'][number]
  const save = async (statuses: Status[], message: string, isUndo = false): Promise<void> => {
    const before = of.statuses
    await changeConfigured<StatusSettings[]>(
      queryKey,
      (all) => all.map((each) => (each.module === of.module ? { ...each, statuses } : each)),
      () =>
        api.put('/api/organization/settings/statuses/{module}/', {
          path,
          body: {
            statuses: statuses.map(
              ({ status_id, status_name, category, color, is_default, is_archived }) => ({
                ...(status_id ? { status_id } : {}),
                status_name,
                category,
                color,
                is_default,
                is_archived,
              }),
            ),
          },
        }),
      isUndo
        ? undefined
        : { message, undo: () => save(before, message, true).catch(notifyRefusal) },
    )
  }
  const remove = (id: string) =>
    changeConfigured<StatusSettings[]>(
      queryKey,
      (all) => all,
      () =>
        api.delete('/api/organization/settings/statuses/{module}/{status_id}/', {
          path: { ...path, status_id: id },
        }),
      { message: t('Status deleted') },
    )
  const { start: startDeletion, dialog } = useDeletion()
  const byId = new Map(of.statuses.map((status) => [status.status_id, status]))
  return (
    <SettingGroup title={capital(moduleWords(of.module))}>
      <OptionList<More>
        noun="status"
        isReadOnly={isReadOnly}
        items={of.statuses.map((status) => ({
          id: status.status_id,
          label: status.status_name,
          color: status.color,
          isDefault: status.is_default,
          isArchived: status.is_archived,
          category: status.category,
        }))}
        fresh={(label) => ({ id: '', label, color: null, category: 'in_progress' })}
        hasDefault={false}
        onSave={(items, message) =>
          void save(
            items.map(({ id, label, color, isArchived, category }, position) => ({
              status_key: '',
              icon: null,
              is_default: false,
              ...byId.get(id),
              status_id: id,
              status_name: label,
              color,
              category,
              position,
              is_archived: isArchived ?? false,
            })),
            message,
          ).catch(notifyRefusal)
        }
        onDelete={({ id, label }) =>
          startDeletion({ module: 'status', id, name: label, remove: () => remove(id) })
        }
        extra={(item, change) =>
          isReadOnly ? (
            categories.find(({ value }) => value === item.category)?.label
          ) : (
            <Choice
              label={t('Category of {label}', { label: item.label })}
              value={item.category}
              options={categories}
              onChange={(category) => {
                if (category) change({ category: category as Category })
              }}
            />
          )
        }
      />
      {dialog}
    </SettingGroup>
  )
}
