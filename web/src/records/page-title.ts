import { useEffect } from 'react'
import { useSession } from '../data/session.ts'

/** The title of the browser's tab: the page and the organization. */
export function usePageTitle(title: string): void {
  const { organization } = useSession()
  useEffect(() => {
    document.title = `${title} · ${organization.name}`
  }, [title, organization.name])
}
