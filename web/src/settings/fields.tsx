import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { levelOf, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { Menu } from '../ui/menu.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { Tag } from '../ui/tag.tsx'
import { FieldPanel } from './field-panel.tsx'
import type { FieldDefinition } from './field-types.ts'
import { typeName } from './field-types.ts'
import { changeFields, fieldsQuery } from './fields-data.ts'
import { Movable } from './movable.tsx'
import { NewField } from './new-field.tsx'
import styles from './settings.module.css'
import { WhoCan } from './who-can.tsx'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

/** The fields of each record type: their order and labels, and new ones. */
export default function Fields() {
  const session = useSession()
  const { data } = useSuspenseQuery(fieldsQuery)
  const [chosen, setChosen] = useSearchValue('module')
  const [key, setKey] = useSearchValue('field')
  const [isCreating, setCreating] = useState(false)
  const config = data.find(({ module }) => module === chosen) ?? data[0]
  if (!config) return null
  const { module, fields } = config
  const mayChange = levelOf(session, module, 'update') === 'all'
  const open = fields.find((field) => field.key === key)
  return (
    <SectionPage
      title={t('Fields')}
      about={t(
        'The fields of records, for everybody. Forms and pages show them in this order; a new field appears in lists, forms and filters by itself.',
      )}
      actions={
        mayChange ? (
          <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('New field')}
          </Button>
        ) : null
      }
    >
      {mayChange ? null : <WhoCan what="fields" />}
      <div className={styles.tools}>
        <Choice
          label={t('Module')}
          value={module}
          onChange={(value) => setChosen(value ?? undefined)}
          options={data.map(({ module: value }) => ({ value, label: capital(moduleWords(value)) }))}
        />
      </div>
      <SettingGroup>
        <Movable
          items={fields}
          keyOf={(field) => field.key}
          nameOf={({ label }) => label}
          isReadOnly={!mayChange}
          onOrder={(items, message) => {
            const placed = (all: FieldDefinition[]) =>
              all.map((field, position) => ({ key: field.key, position }))
            void changeFields(module, placed(items), message, placed(fields)).catch(notifyRefusal)
          }}
        >
          {(field, moves) => (
            <Row
              field={field}
              isReadOnly={!mayChange}
              onOpen={() => setKey(field.key)}
              menu={[
                { label: t('Edit'), icon: 'pencil', onSelect: () => setKey(field.key) },
                ...moves,
              ]}
            />
          )}
        </Movable>
      </SettingGroup>
      {isCreating ? (
        <NewField module={module} fields={fields} onClose={() => setCreating(false)} />
      ) : null}
      {open ? (
        <FieldPanel
          key={open.key}
          module={module}
          field={open}
          isReadOnly={!mayChange}
          onClose={() => setKey()}
        />
      ) : null}
    </SectionPage>
  )
}

type RowProps = {
  field: FieldDefinition
  isReadOnly: boolean
  onOpen: () => void
  menu: MenuItem[]
}

function Row({ field, isReadOnly, onOpen, menu }: RowProps) {
  const marks = [
    field.is_built_in ? null : t('Custom'),
    field.required ? t('Required') : null,
    field.is_shared ? t('Shared') : null,
    field.is_archived ? t('Archived') : null,
  ].filter((mark) => mark !== null)
  return (
    <ItemRow
      lead={
        isReadOnly ? null : (
          <span draggable aria-hidden="true">
            <Icon name="grip" />
          </span>
        )
      }
      name={
        <button type="button" onClick={onOpen}>
          {field.label}
        </button>
      }
      marks={marks.map((mark, at) => (
        <Tag key={mark} neutral={field.is_built_in || at > 0}>
          {mark}
        </Tag>
      ))}
      actions={
        <>
          {typeName(field.type)}
          {isReadOnly ? null : (
            <Menu
              align="end"
              items={menu}
              trigger={
                <IconButton icon="more" label={t('Actions for {label}', { label: field.label })} />
              }
            />
          )}
        </>
      }
    >
      {[field.key, field.group].filter(Boolean).join(' · ')}
    </ItemRow>
  )
}
