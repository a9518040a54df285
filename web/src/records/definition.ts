import type { ComponentType } from 'react'
import type { Module } from '../data/modules.ts'
import type { Record } from '../data/record.ts'
import type { IconName } from '../ui/icons.tsx'

/** The props of a record type's own part of a page or panel. */
export type SectionProps = { module: Module; record: Record; screens: Screens }
/** A part of the page that only one record type has; its code is loaded when it is shown. */
export type Section = () => Promise<{ default: ComponentType<SectionProps> }>

/** A tab of a record's page. */
export type Tab =
  | { kind: 'timeline' }
  | { kind: 'comments' }
  | { kind: 'files' }
  /** the records of another module that link to this one by a field */
  | { kind: 'related'; module: string; by: string }
  | { kind: 'own'; name: string; label: string; load: Section }

/** The activity of a record, newest first. */
export const timeline: Tab = { kind: 'timeline' }
/** The conversation about a record. */
export const comments: Tab = { kind: 'comments' }
/** The documents of a record. */
export const files: Tab = { kind: 'files' }
/** The records of another module that link to this one by the field `by`. */
export function related(module: string, by: string): Tab {
  return { kind: 'related', module, by }
}

/** A tab with the record type's own component; `name` is in the address. */
export function own(name: string, label: string, load: Section): Tab {
  return { kind: 'own', name, label, load }
}

/** The particulars of a record type's screens; everything else follows from its description. */
export type Screens = {
  /** the module of the API */
  module: string
  /** the address of the list; records' pages are below it */
  address: string
  icon: IconName
  /** the default columns, by field */
  table: string[]
  /** the facts in the side panel, which also come first on the page */
  panel: string[]
  tabs: Tab[]
  /** the part above the facts and tabs, on the page and in the panel */
  head?: Section
  /** the field that the checkbox before the title sets, such as a task's `is_completed` */
  tick?: string
  /** whether a record can be duplicated with what belongs to it */
  canDuplicate?: boolean
  /** whether what uses a record is said before it is deleted */
  asksUses?: boolean
  /** parameters that its list always has */
  only?: { [name: string]: string }
  /** the board: the field for the lanes, the field to sum up, and the two fields on each card */
  board?: {
    by: string
    sum?: string
    card: string[]
    /** whether a move to a lost stage asks for the reason first */
    asksReason?: boolean
  }
  /** the default layout of the list */
  as?: 'table' | 'board'
  /** the default order */
  sort?: string
  /** the fields of the form for a new record; by default all required ones */
  form?: string[]
  /** whether new records are created elsewhere than in this form */
  isMadeElsewhere?: boolean
  /** what an empty list says about these records */
  empty: string
}

/** Declares the screens of a record type. */
export function records(module: string, screens: Omit<Screens, 'module' | 'address'>): Screens {
  return { module, address: `/${module}`, ...screens }
}
