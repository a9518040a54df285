// imported first, because they define the order of the cascade layers
import './ui/tokens.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from './api/problem.ts'
import { takeFromDocument } from './data/first-load.ts'
import { queryClient } from './data/query-client.ts'
import { AllScreens } from './records/screens.ts'
import { router } from './routes.tsx'
import { screens } from './screens.ts'
import { reloadOnMissingCode } from './shell/missing-code.ts'

reloadOnMissingCode()
takeFromDocument()

/** What the server refused is said on the page; everything else is a fault, which the console shows. */
function onCaughtError(error: unknown): void {
  const isSaid = error instanceof Problem && (error.status === 403 || error.status === 404)
  if (!isSaid) console.error(error)
}

const root = document.getElementById('root')
if (root) {
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AllScreens value={screens}>
          <RouterProvider router={router} />
        </AllScreens>
      </QueryClientProvider>
    </StrictMode>,
  )
}
