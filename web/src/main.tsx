// imported first, because they define the order of the cascade layers
import './ui/tokens.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeFromDocument } from './data/first-load.ts'
import { queryClient } from './data/query-client.ts'
import { AllScreens } from './records/screens.ts'
import { router } from './routes.tsx'
import { screens } from './screens.ts'
import { reloadOnMissingCode } from './shell/missing-code.ts'

reloadOnMissingCode()
takeFromDocument()

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
