import { readFileSync } from 'node:fs'
import { applicationRoutes } from './src/surfaces/application/routes.ts'
import { integrationRoutes } from './src/surfaces/integration/routes.ts'
for (const r of [...applicationRoutes(), ...integrationRoutes('automation')]) {
  const o = r.operation as any
  if (!o.writes) continue
  const text = String(o.run)
  const says = text.includes('ifMatch')
  if (says !== Boolean(o.isVersioned))
    console.log(
      r.method,
      r.path,
      o.name,
      'says',
      says,
      'marked',
      Boolean(o.isVersioned),
      says ? '' : text.slice(0, 80).replace(/\s+/g, ' '),
    )
}
