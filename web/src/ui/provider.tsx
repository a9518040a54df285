import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Announcements } from './announce.tsx'
import { ToastViewport } from './toast.tsx'
import { TooltipHost } from './tooltip.tsx'

/** Wraps the application with what the components need: toasts, tooltips, announcements, and no `<style>`. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <ToastViewport />
      <TooltipHost />
      <Announcements />
    </CSPProvider>
  )
}
