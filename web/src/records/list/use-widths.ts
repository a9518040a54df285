import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changePreferences, useSession } from '../../data/session.ts'

/** The person's column widths; stored a moment after the last change. */
export function useWidths(
  module: string,
): [{ [column: string]: number }, (column: string, width: number) => void] {
  const { preferences } = useSession()
  const name = `widths.${module}`
  const [widths, setWidths] = useState((preferences[name] ?? {}) as { [column: string]: number })
  const client = useQueryClient()
  useEffect(() => {
    if (widths === preferences[name] || !Object.keys(widths).length) return
    const timer = setTimeout(() => void changePreferences({ [name]: widths }).catch(() => {}), 800)
    return () => clearTimeout(timer)
  }, [widths, name, preferences, client])
  return [widths, (column, width) => setWidths((before) => ({ ...before, [column]: width }))]
}
