import type { Module } from '../../data/modules.ts'

/** The conversation about a record. */
export function Comments(_props: { module: Module; id: string }) {
  return null
}
