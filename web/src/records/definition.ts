import type { ComponentType, ReactNode } from 'react'
import type { Clause, ListParams } from '../data/list.ts'
import type { Module } from '../data/modules.ts'
import type { FieldName, ModuleName } from '../data/record-types.ts'
import type { AnyRecord } from '../data/record.ts'
import type { IconName } from '../ui/icons.tsx'
import type { OwnLayoutName } from './search.ts'

/** The props of a record type's own part of a page or panel. */
export type SectionProps = { module: Module; record: AnyRecord; screens: Screens }
/** A part of the page that only one record type has; its code is loaded when it is shown. */
export type Section = () => Promise<{ default: ComponentType<SectionProps> }>

/** The props of an act on a record, which opens above the page. */
export type ActProps = SectionProps & { onClose: () => void }
/** An act of one record type, in the menu of a record of whoever has the rights that it `needs`. */
export type Act = {
  label: string
  icon: IconName
  needs: [module: string, action: 'create' | 'read' | 'update'][]
  load: () => Promise<{ default: ComponentType<ActProps> }>
}
/** The props of a record type's own form for a new record; `onPlain` opens the usual one. */
export type NewFormProps = { onClose: () => void; onPlain: () => void }

/** The props of what stands beside the rows of a list: its conditions, and what changes them. */
export type BesideRowsProps = { filter: Clause[]; onChange: (filter: Clause[]) => void }
/** What stands beside the rows of a list, such as folders; the tabs keep the conditions that it sets. */
export type BesideRows = {
  load: () => Promise<{ default: ComponentType<BesideRowsProps> }>
  sets: (clause: Clause) => boolean
}

/** The props of a record type's own layout of a list; `empty` is what stands there without records. */
export type LayoutProps = { params: ListParams; empty: ReactNode }
/** A layout that the list of one record type has besides a table and a board. */
export type OwnLayout = {
  name: OwnLayoutName
  label: string
  icon: IconName
  /** whether customers and partners do not have it */
  isInternal?: boolean
  load: () => Promise<{ default: ComponentType<LayoutProps> }>
}

/** A tab of a record's page. */
export type Tab =
  | { kind: 'timeline' }
  | { kind: 'comments' }
  | { kind: 'files' }
  /** the records of another module that link to this one by a field */
  | { kind: 'related'; module: string; by: string }
  | {
      kind: 'own'
      name: string
      label: string
      load: Section
      isWide: boolean
      /** customers, partners and observers do not have it */
      isForTeam: boolean
      /** the panel shows it too */
      isInPanel: boolean
      /** whether a record has it; each does where this is absent */
      isOf?: (record: AnyRecord) => boolean
    }

/** The activity of a record, newest first. */
export const timeline: Tab = { kind: 'timeline' }
/** The conversation about a record. */
export const comments: Tab = { kind: 'comments' }
/** The documents of a record. */
export const files: Tab = { kind: 'files' }
/** The records of another module that link to this one by the field `by`. */
export function related<M extends ModuleName>(module: M, by: FieldName<M>): Tab {
  return { kind: 'related', module, by }
}

/**
 * A tab with the record type's own component; `name` is in the address. A wide one has the whole width, and the
 * details beside it only if they are asked for.
 */
export function own(
  name: string,
  label: string,
  load: Section,
  {
    isWide = false,
    isForTeam = false,
    isInPanel = false,
    isOf,
  }: Partial<Pick<OwnTab, 'isWide' | 'isForTeam' | 'isInPanel' | 'isOf'>> = {},
): Tab {
  return { kind: 'own', name, label, load, isWide, isForTeam, isInPanel, ...(isOf ? { isOf } : {}) }
}

type OwnTab = Extract<Tab, { kind: 'own' }>

/** Whether a record has a tab of its type for this reader. */
export function hasTab(tab: Tab, record: AnyRecord, isConfinedReader: boolean): boolean {
  if (tab.kind !== 'own') return true
  return !(tab.isForTeam && isConfinedReader) && (tab.isOf?.(record) ?? true)
}

/** The particulars of a record type's screens, whose fields are named `Name`; all else follows from its description. */
type Particulars<Name extends string> = {
  icon: IconName
  /** the key that goes to its list after `g` */
  key?: string
  /** the default columns, by field */
  table: Name[]
  tabs: Tab[]
  /** the part with the figures, above the tabs, where these are more than fields; in the panel too */
  head?: Section
  /** what is to be done now, before the tabs and in the panel */
  now?: Section
  /** what stands below the details of a record */
  beside?: Section
  /** reads what the head and the part below it need while the record is read */
  prefetch?: (id: string, screens: Screens) => Promise<unknown>
  /** the field that the checkbox before the title sets, such as a task's `is_completed` */
  tick?: Name
  /** whether a record can be duplicated with what belongs to it */
  canDuplicate?: boolean
  /** further acts in the menu of a record */
  acts?: Act[]
  /** what opens first for a new record, of whoever may read the module that it needs */
  newForm?: { needs: string; load: () => Promise<{ default: ComponentType<NewFormProps> }> }
  /** what else a list's page has, such as a place to drop files */
  besideList?: () => Promise<{ default: ComponentType }>
  /** what stands beside the rows of its list, and above them where there is no room */
  besideRows?: BesideRows
  /** whether what uses a record is said before it is deleted */
  asksUses?: boolean
  /** what its list shows beside saved views, as tabs with these conditions */
  views?: (me: { email: string }) => { label: string; conditions: Clause[] }[]
  /** parameters that its list always has */
  only?: { [name: string]: string }
  /** the board: the field for the lanes, the field to sum up, and the two fields on each card */
  board?: {
    by: Name
    sum?: Name
    card: Name[]
    /** whether a move to a lost stage asks for the reason first */
    asksReason?: boolean
  }
  /** further layouts of the list */
  layouts?: OwnLayout[]
  /** the default layout of the list */
  as?: 'table' | 'board'
  /** the fields of the form for a new record; by default all required ones */
  form?: Name[]
  /** whether new records are created elsewhere than in this form */
  isMadeElsewhere?: boolean
  /** what an empty list says about these records */
  empty: string
}

/** The screens of any record type. */
export type Screens = Particulars<string> & {
  /** the module of the API */
  module: string
  /** the address of the list; records' pages are below it */
  address: string
  /** the default order, as the API takes it */
  sort?: string
}

/** The address of a record's page, or of one of its tabs. */
export function addressIn({ address }: Pick<Screens, 'address'>, id: string, tab?: string): string {
  return `${address}/${id}${tab ? `/${tab}` : ''}`
}

/** Declares the screens of a record type; its fields are those of the API's schema. */
export function records<M extends ModuleName>(
  module: M,
  {
    sort,
    ...particulars
  }: Particulars<FieldName<M>> & { sort?: (FieldName<M> | `-${FieldName<M>}`)[] },
) {
  return {
    ...particulars,
    module,
    address: `/${module}` as const,
    ...(sort ? { sort: sort.join(',') } : {}),
  }
}
