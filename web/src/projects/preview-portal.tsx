import { useEffect } from 'react'
import { idOf } from '../data/record.ts'
import type { ActProps } from '../records/definition.ts'

/** Leaves for the portal of the project as one of its customers sees it, who is chosen there. */
export default function PreviewPortal({ module, record }: ActProps) {
  const id = idOf(module, record)
  useEffect(() => location.assign(`/portal/preview?project=${encodeURIComponent(id)}`), [id])
  return null
}
