import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { levelOf, useSession } from '../data/session.ts'
import { changeConfigured } from '../data/settings.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import type { Item } from './option-list.tsx'
import { OptionList } from './option-list.tsx'
import styles from './settings.module.css'
import { WhoCan } from './who-can.tsx'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

type OptionSet = components['schemas']['OptionSet']

const queryKey = keys.setting('option-sets')

/** The options that built-in fields offer, by module. */
export default function OptionSets() {
  const session = useSession()
  const { data: sets } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/option-sets/')).data,
  })
  const [chosen, setChosen] = useSearchValue('module')
  const modules = [...new Set(sets.map(({ module }) => module))]
  const module = chosen && modules.includes(chosen) ? chosen : modules[0]
  const mayChange = levelOf(session, module ?? '', 'update') === 'all'
  return (
    <SectionPage
      title={t('Option sets')}
      about={t(
        'What fields offer to choose from. Archived options stay on records and are offered no more. For everybody.',
      )}
    >
      {mayChange ? null : <WhoCan what="options" />}
      <div className={styles.tools}>
        <Choice
          label={t('Module')}
          value={module ?? null}
          onChange={(value) => setChosen(value ?? undefined)}
          options={modules.map((value) => ({ value, label: capital(moduleWords(value)) }))}
        />
      </div>
      {sets
        .filter((set) => set.module === module)
        .map((set) => (
          <One key={set.set} set={set} isReadOnly={!mayChange} />
        ))}
    </SectionPage>
  )
}

function One({ set, isReadOnly }: { set: OptionSet; isReadOnly: boolean }) {
  const path = { module: set.module, set: set.set }
  const save = async (
    options: OptionSet['options'],
    message: string,
    isUndo = false,
  ): Promise<void> => {
    const before = set.options
    await changeConfigured<OptionSet[]>(
      queryKey,
      (all) =>
        all.map((each) =>
          each.module === set.module && each.set === set.set ? { ...each, options } : each,
        ),
      () =>
        api.put('/api/option-sets/{module}/{set}/', {
          path,
          body: {
            options: options.map(({ value, ...rest }, position) => ({
              ...(value ? { value } : {}),
              ...rest,
              position,
            })),
          },
        }),
      isUndo
        ? undefined
        : { message, undo: () => save(before, message, true).catch(notifyRefusal) },
    )
  }
  const remove = async (value: string) =>
    changeConfigured<OptionSet[]>(
      queryKey,
      (all) => all,
      () => api.delete('/api/option-sets/{module}/{set}/{value}/', { path: { ...path, value } }),
      { message: t('Option deleted') },
    )
  const { start: startDeletion, dialog } = useDeletion()
  const byId = new Map(set.options.map((option) => [option.value, option]))
  const toOption = ({ id, label, color, isDefault, isArchived }: Item, position: number) => ({
    icon: null,
    ...byId.get(id),
    value: id,
    label,
    color,
    position,
    is_default: isDefault ?? false,
    is_archived: isArchived ?? false,
  })
  return (
    <SettingGroup title={capital((set.field ?? set.set).replaceAll('_', ' '))}>
      <OptionList<object>
        noun="option"
        isReadOnly={isReadOnly}
        items={set.options.map((option) => ({
          id: option.value,
          label: option.label,
          color: option.color,
          isDefault: option.is_default,
          isArchived: option.is_archived,
        }))}
        fresh={(label) => ({ id: '', label, color: null })}
        onSave={(items, message) => void save(items.map(toOption), message).catch(notifyRefusal)}
        onDelete={({ id, label }) =>
          startDeletion({
            module: 'option',
            id: `${set.module}.${set.field ?? set.set}.${id}`,
            name: label,
            remove: () => remove(id),
          })
        }
      />
      {dialog}
    </SettingGroup>
  )
}
