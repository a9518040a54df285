import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal } from '../data/change.ts'
import { pipelinesQuery } from '../data/deal.ts'
import { notify } from '../data/notices.ts'
import { moduleQuery } from '../data/modules.ts'
import { queryClient } from '../data/query-client.ts'
import { levelOf, useSession } from '../data/session.ts'
import { changeConfigured } from '../data/settings.ts'
import { isEditable } from '../records/field/editable.ts'
import { percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { Menu } from '../ui/menu.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { NameDialog } from './name-dialog.tsx'
import type { Item } from './option-list.tsx'
import { OptionList } from './option-list.tsx'
import { Probability } from './probability.tsx'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

type Pipeline = components['schemas']['Pipeline']
type Stage = Pipeline['stages'][number]
type More = Pick<Stage, 'category' | 'probability' | 'required_fields'>

const { queryKey } = pipelinesQuery

/** What decides the place of a deal cannot be needed for it. */
const placing = ['stage_id', 'pipeline_id', 'lost_reason']

const categories: { value: Stage['category']; label: string }[] = [
  { value: 'open', label: t('Open [state]') },
  { value: 'won', label: t('Won') },
  { value: 'lost', label: t('Lost') },
]

/** The pipelines of deals with their stages. */
export default function Pipelines() {
  const session = useSession()
  // who configures sees what others have configured meanwhile
  const { data } = useSuspenseQuery({ ...pipelinesQuery, staleTime: 10_000 })
  const [isCreating, setCreating] = useState(false)
  const mayChange = levelOf(session, 'deals', 'update') === 'all'
  const create = async (pipeline_name: string) => {
    await api.post('/api/pipelines/', { body: { pipeline_name } as never })
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: t('{pipeline_name} created', { pipeline_name }) })
  }
  return (
    <SectionPage
      title={t('Pipelines')}
      about={t(
        'The stages that deals go through, each with how likely a deal in it is won, and what it needs before. For everybody.',
      )}
      actions={
        mayChange ? (
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('Create pipeline')}
          </Button>
        ) : null
      }
    >
      {mayChange ? null : <WhoCan what="pipelines" />}
      {data.map((pipeline) => (
        <One
          key={pipeline.pipeline_id}
          of={pipeline}
          isReadOnly={!mayChange}
          isOnly={data.length === 1}
        />
      ))}
      {isCreating ? (
        <NameDialog
          title={t('Create pipeline')}
          action={t('Create pipeline')}
          onSave={create}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </SectionPage>
  )
}

type Props = { of: Pipeline; isReadOnly: boolean; isOnly: boolean }

function One({ of, isReadOnly, isOnly }: Props) {
  const format = useFormat()
  const [isRenaming, setRenaming] = useState(false)
  const { data: deals } = useSuspenseQuery(moduleQuery('deals'))
  const fields = deals.fields.filter((field) => isEditable(field) && !placing.includes(field.name))
  const { start: startDeletion, dialog } = useDeletion()
  const path = { id: of.pipeline_id }
  const change = async (
    values: Partial<Pipeline>,
    message: string,
    isUndo = false,
  ): Promise<void> => {
    const was = Object.fromEntries(
      Object.keys(values).map((name) => [name, of[name as keyof Pipeline]]),
    )
    await changeConfigured<Pipeline[]>(
      queryKey,
      (all) =>
        all.map((each) => (each.pipeline_id === of.pipeline_id ? { ...each, ...values } : each)),
      () => api.put('/api/pipelines/{id}/', { path, body: sent(values) as never }),
      isUndo ? undefined : { message, undo: () => change(was, message, true).catch(notifyRefusal) },
    )
  }
  const remove = async () => {
    await api.delete('/api/pipelines/{id}/', { path })
    await queryClient.invalidateQueries({ queryKey })
    notify({
      message: t('{pipeline_name} deleted', { pipeline_name: of.pipeline_name }),
      undo: async () => {
        await api.post('/api/pipelines/{id}/restore/', { path }).catch(notifyRefusal)
        await queryClient.invalidateQueries({ queryKey })
      },
    })
  }
  const menu: MenuItem[] = [
    { label: t('Rename'), icon: 'pencil', onSelect: () => setRenaming(true) },
    ...(of.is_default
      ? []
      : [
          {
            label: t('Make it the default'),
            icon: 'star',
            onSelect: () =>
              void change(
                { is_default: true },
                t('{pipeline_name} is the default', { pipeline_name: of.pipeline_name }),
              ).catch(notifyRefusal),
          } as const,
        ]),
    ...(isOnly
      ? []
      : [
          {
            label: t('Delete'),
            icon: 'trash',
            danger: true,
            onSelect: () =>
              startDeletion({
                module: 'pipeline',
                id: of.pipeline_id,
                name: of.pipeline_name,
                remove,
              }),
          } as const,
        ]),
  ]
  const byId = new Map(of.stages.map((stage) => [stage.stage_id, stage]))
  const toStage = (
    { id, label, color, isArchived, category, probability, required_fields }: Item<More>,
    position: number,
  ): Stage => ({
    stage_key: '',
    icon: null,
    ...byId.get(id),
    stage_id: id,
    stage_name: label,
    color,
    category,
    probability,
    required_fields,
    position,
    is_archived: isArchived ?? false,
  })
  return (
    <SettingGroup
      title={of.pipeline_name}
      hint={of.is_default ? t('The default: new deals begin here.') : undefined}
      actions={
        isReadOnly ? null : (
          <Menu
            align="end"
            items={menu}
            trigger={
              <IconButton
                icon="more"
                label={t('Actions for {pipeline_name}', { pipeline_name: of.pipeline_name })}
              />
            }
          />
        )
      }
    >
      <OptionList<More>
        noun="stage"
        isReadOnly={isReadOnly}
        hasDefault={false}
        items={of.stages.map((stage) => ({
          id: stage.stage_id,
          label: stage.stage_name,
          color: stage.color,
          isArchived: stage.is_archived,
          category: stage.category,
          probability: stage.probability,
          required_fields: stage.required_fields,
        }))}
        fresh={(label) => ({
          id: '',
          label,
          color: null,
          category: 'open',
          probability: 50,
          required_fields: [],
        })}
        onSave={(items, message) =>
          void change({ stages: items.map(toStage) }, message).catch(notifyRefusal)
        }
        extra={(item, set) =>
          isReadOnly ? (
            `${categories.find(({ value }) => value === item.category)?.label} · ${percent(item.probability, format)}`
          ) : (
            <>
              <Choice
                label={t('Category of {label}', { label: item.label })}
                value={item.category}
                options={categories}
                onChange={(category) => {
                  if (category) set({ category: category as Stage['category'] })
                }}
              />
              <Probability
                label={t('Probability of {label}', { label: item.label })}
                value={item.probability}
                isFixed={item.category !== 'open'}
                onChange={(probability) => set({ probability })}
              />
              <Choice
                multiple
                label={t('Needed to enter {label}', { label: item.label })}
                placeholder={t('Needs nothing')}
                value={item.required_fields}
                options={fields.map(({ name, label }) => ({ value: name, label }))}
                onChange={(required_fields) => set({ required_fields })}
              />
            </>
          )
        }
      />
      {dialog}
      {isRenaming ? (
        <NameDialog
          title={t('Rename {pipeline_name}', { pipeline_name: of.pipeline_name })}
          action={t('Rename')}
          name={of.pipeline_name}
          onSave={(pipeline_name) =>
            change({ pipeline_name }, t('Renamed to {pipeline_name}', { pipeline_name }))
          }
          onClose={() => setRenaming(false)}
        />
      ) : null}
    </SettingGroup>
  )
}

/** Stages as a body takes them: new ones without an id. */
function sent({ stages, ...rest }: Partial<Pipeline>): object {
  if (!stages) return rest
  return {
    ...rest,
    stages: stages.map(
      ({
        stage_id,
        stage_name,
        category,
        probability,
        color,
        icon,
        is_archived,
        required_fields,
      }) => ({
        ...(stage_id ? { stage_id } : {}),
        stage_name,
        category,
        ...(category === 'open' ? { probability } : {}),
        color,
        icon,
        is_archived,
        required_fields,
      }),
    ),
  }
}
