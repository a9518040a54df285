import { useEffect } from 'react'
import { useSession } from '../data/session.ts'

/** Sets the person's theme and density on the document; initially the server did. */
export function useTheme(): void {
  const { theme, density } = useSession().preferences as { theme?: string; density?: string }
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'light' || theme === 'dark') dataset.theme = theme
    else delete dataset.theme
    if (density === 'compact' || density === 'comfortable') dataset.density = density
    else delete dataset.density
  }, [theme, density])
}
