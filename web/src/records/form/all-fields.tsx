import { useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import type { FieldPlace } from '../../data/layout.ts'
import { pinFields, pinsOf, placeField, resetPlaces } from '../../data/layout.ts'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf, valueOf } from '../../data/record.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { FactGroup, Facts } from '../../ui/facts.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { isEmpty } from '../field/show.tsx'
import { EditableFact } from '../page/fact.tsx'
import styles from './all-fields.module.css'
import { t } from '../../locales/text.ts'

type Props = { module: Module; record: AnyRecord; onClose: () => void }

/** Every field of a record that the person may read, by group, to search and to edit. */
export default function AllFields({ module, record, onClose }: Props) {
  const [q, setQ] = useState('')
  const [showsEmpty, setShowsEmpty] = useState(false)
  const [placing, setPlacing] = useState<{ field: Field; anchor: HTMLElement }>()
  const { preferences } = useSession()
  const pins = pinsOf(preferences, module.module)
  const mayPlace = module.can.update === 'all'
  const words = q.trim().toLowerCase()
  // a search is for any field, also for one without a value
  const isShown = (field: Field) =>
    words
      ? field.label.toLowerCase().includes(words)
      : showsEmpty || !isEmpty(valueOf(record, field.name))
  const fields = module.fields.filter(isShown)
  const groups = Object.entries(
    Object.groupBy(
      fields.filter(({ place }) => place !== 'system'),
      groupOf,
    ),
  )
  const system = fields.filter(({ place }) => place === 'system')
  const facts = (all: Field[] = []) =>
    all.map((field) => (
      <EditableFact
        key={field.name}
        {...{ module, record, field }}
        act={
          field.place === 'system' ? undefined : (
            <IconButton
              label={t('Place of {label}', { label: field.label })}
              icon="pin"
              size="small"
              aria-haspopup="menu"
              onClick={({ currentTarget }) => setPlacing({ field, anchor: currentTarget })}
            />
          )
        }
      />
    ))
  return (
    <Drawer
      open
      title={t('All fields')}
      description={titleOf(module, record)}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <div className={styles.tools}>
        <TextField
          type="search"
          label={t('Search fields')}
          placeholder={t('Search')}
          value={q}
          onChange={setQ}
        />
        <Switch checked={showsEmpty} onChange={setShowsEmpty}>
          {t('Show empty')}
        </Switch>
      </div>
      {fields.length ? null : <p className={styles.none}>{t('No field has this name.')}</p>}
      {groups.map(([group, its]) => (
        <FactGroup key={group} title={group}>
          {facts(its)}
        </FactGroup>
      ))}
      {system.length ? (
        <details className={styles.system} open={words !== '' || undefined}>
          <summary>{t('About this record')}</summary>
          <Facts>{facts(system)}</Facts>
          <Button
            size="small"
            icon="copy"
            onClick={() =>
              void navigator.clipboard
                .writeText(idOf(module, record))
                .then(() => toast({ message: t('Id copied') }))
            }
          >
            {t('Copy id')}
          </Button>
        </details>
      ) : null}
      {mayPlace && module.layout ? (
        <Button
          size="small"
          variant="quiet"
          onClick={() => void resetPlaces(module).catch(notifyRefusal)}
        >
          {t('Places as at first')}
        </Button>
      ) : null}
      {placing ? (
        <Menu
          open
          align="end"
          label={t('Place of {label}', { label: placing.field.label })}
          anchor={placing.anchor}
          finalFocus={() => placing.anchor}
          items={placesOf(module, placing.field, pins, mayPlace)}
          onOpenChange={(isOpen) => {
            if (!isOpen) setPlacing(undefined)
          }}
        />
      ) : null}
    </Drawer>
  )
}

function groupOf({ group, is_custom }: Field): string {
  return group ?? (is_custom ? t('Custom fields') : t('Fields'))
}

/** Where a field can be shown: beside the work for oneself, or anywhere for everybody. */
function placesOf(module: Module, field: Field, pins: string[], mayPlace: boolean): MenuItem[] {
  const { name, label, place } = field
  const isPinned = pins.includes(name)
  const pin = () =>
    pinFields(
      module.module,
      isPinned ? pins.filter((each) => each !== name) : [...pins, name],
      pins,
      isPinned
        ? t('{label} is not pinned any more', { label })
        : t('{label} is pinned for you', { label }),
    ).catch(notifyRefusal)
  const put = (where: FieldPlace) => () =>
    void placeField(module, field, where).catch(notifyRefusal)
  const forAll: MenuItem[] = [
    { kind: 'heading', label: t('For everybody') },
    { label: t('Show in the head'), disabled: place === 'strip', onSelect: put('strip') },
    { label: t('Show at the right'), disabled: place === 'rail', onSelect: put('rail') },
    { label: t('Hide'), disabled: place === 'more', onSelect: put('hidden') },
  ]
  return [
    {
      label: isPinned ? t('Unpin') : t('Pin for me'),
      icon: 'pin',
      disabled: !isPinned && place !== 'more',
      onSelect: () => void pin(),
    },
    ...(mayPlace ? forAll : []),
  ]
}
