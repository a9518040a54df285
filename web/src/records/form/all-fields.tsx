import { useState } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf, valueOf } from '../../data/record.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { FactGroup, Facts } from '../../ui/facts.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { isEmpty } from '../field/show.tsx'
import { EditableFact } from '../page/fact.tsx'
import styles from './all-fields.module.css'

type Props = { module: Module; record: AnyRecord; onClose: () => void }

/** Every field of a record that the person may read, by group, to search and to edit. */
export default function AllFields({ module, record, onClose }: Props) {
  const [q, setQ] = useState('')
  const [showsEmpty, setShowsEmpty] = useState(false)
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
    all.map((field) => <EditableFact key={field.name} {...{ module, record, field }} />)
  return (
    <Drawer
      open
      title="All fields"
      description={titleOf(module, record)}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <div className={styles.tools}>
        <TextField
          type="search"
          label="Search fields"
          placeholder="Search"
          value={q}
          onChange={setQ}
        />
        <Switch checked={showsEmpty} onChange={setShowsEmpty}>
          Show empty
        </Switch>
      </div>
      {fields.length ? null : <p className={styles.none}>No field has this name.</p>}
      {groups.map(([group, its]) => (
        <FactGroup key={group} title={group}>
          {facts(its)}
        </FactGroup>
      ))}
      {system.length ? (
        <details className={styles.system} open={words !== '' || undefined}>
          <summary>About this record</summary>
          <Facts>{facts(system)}</Facts>
          <Button
            size="small"
            icon="copy"
            onClick={() =>
              void navigator.clipboard
                .writeText(idOf(module, record))
                .then(() => toast({ message: 'Id copied' }))
            }
          >
            Copy id
          </Button>
        </details>
      ) : null}
    </Drawer>
  )
}

function groupOf({ group, is_custom }: Field): string {
  return group ?? (is_custom ? 'Custom fields' : 'Fields')
}
