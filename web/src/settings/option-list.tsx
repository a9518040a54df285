import type { CSSProperties, ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ColorPicker } from '../ui/color-picker.tsx'
import { hueOfOption } from '../ui/hue.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { Menu } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { ItemRow, SettingBody } from '../ui/setting.tsx'
import { Tag } from '../ui/tag.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Movable } from './movable.tsx'
import { useStateFor } from '../ui/use-state-for.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** An item of an option list: an option, a status, a stage. */
export type Item<More = object> = {
  /** its value in the API; empty for a new one */
  id: string
  label: string
  color: string | null
  /** what a status or stage is, such as completed */
  category?: string
  isDefault?: boolean
  isArchived?: boolean
} & More

type Props<More> = {
  items: Item<More>[]
  /** "option", "status", "stage" */
  noun: keyof typeof words
  isReadOnly: boolean
  /** the whole new list */
  onSave: (items: Item<More>[], message: string) => void
  /** a new one, by its label */
  fresh: (label: string) => Item<More>
  mayArchive?: boolean
  hasDefault?: boolean
  onDelete?: (item: Item<More>) => void
  /** further settings of each */
  extra?: (item: Item<More>, change: (values: Partial<Item<More>>) => void) => ReactNode
}

/** Options in their order: renamed, colored, moved, archived and added in place. */
export function OptionList<More extends object>({
  items,
  noun,
  isReadOnly,
  onSave,
  fresh,
  mayArchive = true,
  hasDefault = true,
  onDelete,
  extra,
}: Props<More>) {
  const [adding, setAdding] = useState('')
  const change = (item: Item<More>, values: Partial<Item<More>>, message: string) =>
    onSave(
      items.map((each) =>
        each.id === item.id
          ? { ...each, ...values }
          : values.isDefault
            ? { ...each, isDefault: false }
            : each,
      ),
      message,
    )
  const add = () => {
    const label = adding.trim()
    if (!label) return
    onSave([...items, fresh(label)], t('{label} added', { label }))
    setAdding('')
  }
  return (
    <>
      <Movable
        items={items}
        keyOf={({ id }) => id}
        nameOf={({ label }) => label}
        isReadOnly={isReadOnly}
        onOrder={onSave}
      >
        {(item, moves) => {
          const menu: MenuItem[] = [
            ...moves,
            ...(hasDefault && !item.isDefault && !item.isArchived
              ? [
                  {
                    label: t('Make it the default'),
                    icon: 'star',
                    onSelect: () =>
                      change(
                        item,
                        { isDefault: true } as Partial<Item<More>>,
                        t('{label} is the default', { label: item.label }),
                      ),
                  } as const,
                ]
              : []),
            ...(mayArchive
              ? [
                  {
                    label: item.isArchived ? t('Offer it again') : t('Archive'),
                    icon: 'archive',
                    onSelect: () =>
                      change(
                        item,
                        { isArchived: !item.isArchived } as Partial<Item<More>>,
                        item.isArchived
                          ? t('{label} is offered again', { label: item.label })
                          : t('{label} archived', { label: item.label }),
                      ),
                  } as const,
                ]
              : []),
            ...(onDelete
              ? [
                  {
                    label: t('Delete'),
                    icon: 'trash',
                    danger: true,
                    onSelect: () => onDelete(item),
                  } as const,
                ]
              : []),
          ]
          return (
            <ItemRow
              lead={
                <span className={styles.line}>
                  {isReadOnly ? null : (
                    <span draggable aria-hidden="true">
                      <Icon name="grip" />
                    </span>
                  )}
                  <Color
                    item={item}
                    isReadOnly={isReadOnly}
                    onChange={(color) =>
                      change(
                        item,
                        { color } as Partial<Item<More>>,
                        t('Color of {label} saved', { label: item.label }),
                      )
                    }
                  />
                </span>
              }
              name={
                isReadOnly ? (
                  item.label
                ) : (
                  <Label
                    item={item}
                    onChange={(label) =>
                      change(
                        item,
                        { label } as Partial<Item<More>>,
                        t('Renamed to {label}', { label }),
                      )
                    }
                  />
                )
              }
              marks={
                <>
                  {item.isDefault ? <Tag neutral>{t('Default')}</Tag> : null}
                  {item.isArchived ? <Tag neutral>{t('Archived')}</Tag> : null}
                </>
              }
              actions={
                <>
                  {extra?.(item, (values) =>
                    change(item, values, t('{label} saved', { label: item.label })),
                  )}
                  {isReadOnly ? null : (
                    <Menu
                      align="end"
                      items={menu}
                      trigger={
                        <IconButton
                          icon="more"
                          label={t('Actions for {label}', { label: item.label })}
                        />
                      }
                    />
                  )}
                </>
              }
            />
          )
        }}
      </Movable>
      {isReadOnly ? null : (
        <SettingBody>
          <form
            className={styles.add}
            onSubmit={(event) => {
              event.preventDefault()
              add()
            }}
          >
            <TextField
              label={words[noun].fresh}
              placeholder={words[noun].fresh}
              value={adding}
              onChange={setAdding}
              maxLength={255}
            />
            <Button type="submit" icon="plus" disabled={!adding.trim()}>
              {words[noun].add}
            </Button>
          </form>
        </SettingBody>
      )}
    </>
  )
}

const words = {
  option: { fresh: t('New option'), add: t('Add option') },
  stage: { fresh: t('New stage'), add: t('Add stage') },
  status: { fresh: t('New status'), add: t('Add status') },
}

function Label({ item, onChange }: { item: Item; onChange: (label: string) => void }) {
  const [typed, setTyped] = useStateFor<string | undefined>(undefined, item.label)
  const leave = () => {
    const next = typed?.trim()
    if (next && next !== item.label) onChange(next)
    else setTyped(undefined)
  }
  return (
    <TextField
      className={styles.bare}
      label={t('Name of {label}', { label: item.label })}
      value={typed ?? item.label}
      onChange={setTyped}
      maxLength={255}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave()
        if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}

function Color({
  item,
  isReadOnly,
  onChange,
}: {
  item: Item
  isReadOnly: boolean
  onChange: (color: string | null) => void
}) {
  const swatch = {
    '--hue': hueOfOption({
      value: item.id || item.label,
      kind: item.category,
      color: item.color,
    }),
  } as CSSProperties
  if (isReadOnly) return <span className={styles.swatch} style={swatch} />
  return (
    <Popover
      label={t('Color of {label}', { label: item.label })}
      trigger={
        <button
          type="button"
          className={styles.swatch}
          style={swatch}
          aria-label={t('Color of {label}', { label: item.label })}
        />
      }
    >
      <ColorPicker
        label={t('Color of {label}', { label: item.label })}
        value={item.color}
        onChange={onChange}
        clearable
      />
    </Popover>
  )
}
