import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Announcements } from './announce.tsx'
import { LocaleContext } from './locale.ts'
import { ToastViewport } from './toast.tsx'
import { TooltipHost } from './tooltip.tsx'

type Props = { locale?: string | undefined; children: ReactNode }

/** Wraps the application with what the components need: the locale, toasts, tooltips, announcements, and no `<style>`. */
export function UiProvider({ locale, children }: Props) {
  return (
    <CSPProvider disableStyleElements>
      {/* first: below the page it would be a line more to scroll */}
      <Announcements />
      <LocaleContext value={locale}>{children}</LocaleContext>
      <ToastViewport />
      <TooltipHost />
    </CSPProvider>
  )
}
