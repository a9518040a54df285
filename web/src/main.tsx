import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './data/query-client.ts'
import { AllScreens } from './records/screens.ts'
import { router } from './routes.tsx'
import { screens } from './screens.ts'
import { reloadOnMissingCode } from './shell/missing-code.ts'
import './ui/base.css'

reloadOnMissingCode()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AllScreens value={screens}>
          <RouterProvider router={router} />
        </AllScreens>
      </QueryClientProvider>
    </StrictMode>,
  )
}
