import type { ComponentType } from 'react'
import type { Module } from '../data/modules.ts'
import type { Record } from '../data/record.ts'
import type { IconName } from '../ui/icons.tsx'

/** What a record type's own part of a page or panel is given. */
export type SectionProps = { module: Module; record: Record; screens: Screens }
/** A part of a record's page that only its type has; its code is loaded when it is shown. */
export type Section = () => Promise<{ default: ComponentType<SectionProps> }>

/** A tab of a record's page. */
export type Tab =
  | { kind: 'timeline' }
  | { kind: 'comments' }
  | { kind: 'files' }
  /** the records of another module that name this one in a field */
  | { kind: 'related'; module: string; by: string }
  | { kind: 'own'; name: string; label: string; load: Section }

/** The activity of a record, newest first. */
export const timeline: Tab = { kind: 'timeline' }
/** The conversation about a record. */
export const comments: Tab = { kind: 'comments' }
/** The documents of a record. */
export const files: Tab = { kind: 'files' }
/** The records of another module that name this one in the field `by`. */
export function related(module: string, by: string): Tab {
  return { kind: 'related', module, by }
}

/** A tab with a component of the record type's own; `name` stands in the address. */
export function own(name: string, label: string, load: Section): Tab {
  return { kind: 'own', name, label, load }
}

/** What is particular to the screens of a record type; everything else is drawn from its description. */
export type Screens = {
  /** the module of the API */
  module: string
  /** where the list is; a record's page is below it */
  address: string
  icon: IconName
  /** the columns at first, by field */
  table: string[]
  /** the facts of the side panel, and first on the page */
  panel: string[]
  tabs: Tab[]
  /** what stands above the facts and tabs, on the page and in the panel */
  head?: Section
  /** the field that a tick before the title sets, as a task's `is_completed` */
  tick?: string
  /** whether a record can be duplicated with what belongs to it */
  canDuplicate?: boolean
  /** parameters that its list always has */
  only?: { [name: string]: string }
  /** the board: a lane for each value of a field, sums of another, and two fields on each card */
  board?: {
    by: string
    sum?: string
    card: string[]
    /** a lane of a lost stage wants the reason first */
    asksReason?: boolean
  }
  /** what the list is at first */
  as?: 'table' | 'board'
  /** the order at first */
  sort?: string
  /** the fields of the form for a new one; all required ones without it */
  form?: string[]
  /** whether new ones begin elsewhere than in a form here */
  isMadeElsewhere?: boolean
  /** what belongs here, for an empty list */
  empty: string
}

/** Declares the screens of a record type. */
export function records(module: string, screens: Omit<Screens, 'module' | 'address'>): Screens {
  return { module, address: `/${module}`, ...screens }
}
