import type { Module } from '../../data/modules.ts'

/** The documents of a record. */
export function Files(_props: { module: Module; id: string }) {
  return null
}
