import { useState } from 'react'
import { Button } from '../src/ui/button.tsx'
import { Choice } from '../src/ui/choice.tsx'
import { ConfirmDialog } from '../src/ui/confirm-dialog.tsx'
import { Dialog } from '../src/ui/dialog.tsx'
import { Drawer } from '../src/ui/drawer.tsx'
import { Field } from '../src/ui/field.tsx'
import { IconButton } from '../src/ui/icon-button.tsx'
import { Menu } from '../src/ui/menu.tsx'
import { PaletteDialog, type PaletteItem } from '../src/ui/palette.tsx'
import { Popover } from '../src/ui/popover.tsx'
import { TextField } from '../src/ui/text-field.tsx'
import { toast } from '../src/ui/toast.tsx'
import { leads, stages } from './samples.ts'
import { State, type Section } from './section.tsx'

/** What opens above the page. */
export const popups: Section[] = [
  { id: 'menu', title: 'Menu', content: <Menus /> },
  { id: 'dialog', title: 'Dialog', content: <Dialogs /> },
  { id: 'drawer', title: 'Drawer', content: <Drawers /> },
  { id: 'palette', title: 'Palette', content: <Palettes /> },
  {
    id: 'popover',
    title: 'Popover',
    content: (
      <State name="with a title">
        <Popover trigger={<Button icon="columns">Columns</Button>} title="Columns">
          <p>Anything may stand here, fields as well.</p>
        </Popover>
      </State>
    ),
  },
]

const found: PaletteItem[] = [
  { id: 'ada', label: 'Ada Lindqvist', detail: 'ada@swiftwater.example', avatar: 'round' },
  { id: 'oak', label: 'Oakhaven Media', detail: 'oakhaven.example', avatar: 'square' },
]
const commands: PaletteItem[] = [
  { id: 'new', label: 'New contact', icon: 'plus' },
  { id: 'home', label: 'Go to Home', icon: 'home', keys: 'g h' },
]

function Palettes() {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const fitting = (items: PaletteItem[]) =>
    items.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()))
  return (
    <State name="groups of records and commands">
      <Button icon="search" onClick={() => setOpen(true)}>
        Search
      </Button>
      <PaletteDialog
        open={open}
        onOpenChange={setOpen}
        label="Search and commands"
        placeholder="Search or type a command"
        query={query}
        onQuery={setQuery}
        groups={[
          { label: 'Recent', items: fitting(found) },
          { label: 'Commands', items: fitting(commands) },
        ]}
        empty={`Nothing matches “${query}”`}
        onChoose={({ label }) => {
          setOpen(false)
          toast({ message: label })
        }}
      />
    </State>
  )
}

function Menus() {
  const [shown, setShown] = useState(true)
  const [sort, setSort] = useState('name')
  const say = (message: string) => () => toast({ message })
  return (
    <State name="everything a menu may have, on an icon">
      <Menu
        trigger={<Button iconAfter="chevron-down">Actions</Button>}
        items={[
          { label: 'Edit', icon: 'pencil', shortcut: 'e', onSelect: say('Edit') },
          { label: 'Copy link', icon: 'link', shortcut: 'Mod+L', onSelect: say('Copied') },
          {
            kind: 'submenu',
            label: 'Move to',
            icon: 'arrow-right',
            items: stages.map((stage) => ({
              label: stage.label,
              color: stage.color,
              onSelect: say(`Moved to ${stage.label}`),
            })),
          },
          { kind: 'link', label: 'Open in a new page', icon: 'external-link', href: '#menu' },
          { kind: 'separator' },
          { kind: 'checkbox', label: 'Show empty fields', checked: shown, onChange: setShown },
          {
            kind: 'radio',
            label: 'Sort by',
            value: sort,
            onChange: setSort,
            options: [
              { value: 'name', label: 'Name' },
              { value: 'changed', label: 'Last changed' },
            ],
          },
          { kind: 'separator' },
          { label: 'Merge…', icon: 'merge', disabled: true, onSelect: () => {} },
          { label: 'Delete contact', icon: 'trash', danger: true, onSelect: say('Deleted') },
        ]}
      />
      <Menu
        trigger={<IconButton label="More actions" icon="more" />}
        items={[{ label: 'Duplicate', icon: 'copy', onSelect: say('Duplicated') }]}
      />
    </State>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'lost' | 'new' | 'delete' | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  const [name, setName] = useState('')
  const close = (next: boolean) => setOpen(next ? open : null)
  return (
    <State name="small, large with a form, confirmation">
      <Button onClick={() => setOpen('lost')}>Mark as lost…</Button>
      <Button onClick={() => setOpen('new')}>New company…</Button>
      <Button onClick={() => setOpen('delete')}>Delete…</Button>
      <Dialog
        open={open === 'lost'}
        onOpenChange={close}
        title="Why was it lost?"
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button variant="primary" disabled={!reason} onClick={() => setOpen(null)}>
              Mark as lost
            </Button>
          </>
        }
      >
        <Choice
          label="Reason"
          placeholder="Reason"
          value={reason}
          onChange={setReason}
          options={leads.slice(0, 5)}
        />
      </Dialog>
      <Dialog
        open={open === 'new'}
        onOpenChange={close}
        title="New company"
        description="Contacts and deals can be added to it later."
        size="large"
        onSubmit={() => setOpen(null)}
        footer={
          <>
            <Button onClick={() => setOpen(null)}>Cancel</Button>
            <Button variant="primary" type="submit">
              Create company
            </Button>
          </>
        }
      >
        <Field label="Company name" required>
          <TextField value={name} onChange={setName} />
        </Field>
        <Field label="Lead status">
          <Choice value={reason} onChange={setReason} options={leads} />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title="Delete 3 contacts?"
        description="They stay in the bin for 30 days."
        confirm="Delete 3 contacts"
        onConfirm={() => setOpen(null)}
      />
    </State>
  )
}

function Drawers() {
  const [side, setSide] = useState<'right' | 'left' | 'bottom' | null>(null)
  const [shown, setShown] = useState<'right' | 'left' | 'bottom'>('right')
  const show = (next: 'right' | 'left' | 'bottom') => () => {
    setShown(next)
    setSide(next)
  }
  return (
    <State name="right, left, bottom">
      <Button onClick={show('right')}>Right</Button>
      <Button onClick={show('left')}>Left</Button>
      <Button onClick={show('bottom')}>Bottom</Button>
      <Drawer
        open={side !== null}
        onOpenChange={(open) => !open && setSide(null)}
        side={shown}
        title="Filters"
        footer={
          <Button variant="primary" onClick={() => setSide(null)}>
            Show 42 contacts
          </Button>
        }
      >
        <Field label="Lead status">
          <Choice multiple value={['new']} onChange={() => {}} options={leads} />
        </Field>
      </Drawer>
    </State>
  )
}
