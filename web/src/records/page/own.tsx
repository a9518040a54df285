import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStateFor } from '../../ui/use-state-for.ts'
import type { Section, SectionProps } from '../definition.ts'

/** One component per declaration, otherwise it would be loaded again for every record. */
const parts = new Map<Section, ComponentType<SectionProps>>()

/** Loads a part before the page is shown, so that it does not move what is below it. */
export function preloadOwn(load: Section): void {
  load()
    .then(({ default: part }) => parts.set(load, part))
    .catch(() => {
      // it is loaded again where it is shown, and its failure is shown there
    })
}

function partOf(load: Section): ComponentType<SectionProps> {
  const part = parts.get(load) ?? lazy(load)
  parts.set(load, part)
  return part
}

/** A part of a page that only this record type has, loaded when it is first shown. */
export function Own({ load, ...props }: SectionProps & { load: Section }) {
  // an instance keeps its component while another is loaded, or its state would be lost
  const [Part] = useStateFor(partOf(load), load)
  return (
    <Suspense fallback={<Skeleton height="40px" />}>
      <Part {...props} />
    </Suspense>
  )
}
