import { lazy, Suspense } from 'react'
import type { AnyRecord } from '../../data/record.ts'

const Signers = lazy(async () => ({ default: (await import('./signers.tsx')).Signers }))

/** Who has signed a document and who is waited for; its code is loaded when it is first shown. */
export function LazySigners({ record }: { record: AnyRecord }) {
  return (
    <Suspense fallback={<span data-loading />}>
      <Signers record={record} />
    </Suspense>
  )
}
