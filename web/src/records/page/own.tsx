import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Section, SectionProps } from '../definition.ts'

/** One component per declaration, otherwise it would be loaded again at every render. */
const loaded = new Map<Section, ComponentType<SectionProps>>()

/** A part of a page that only this record type has, loaded when it is first shown. */
export function Own({ load, ...props }: SectionProps & { load: Section }) {
  const Part = loaded.get(load) ?? lazy(load)
  loaded.set(load, Part)
  return (
    <Suspense fallback={<Skeleton height="40px" />}>
      <Part {...props} />
    </Suspense>
  )
}
