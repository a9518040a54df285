import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { Problem } from './api/problem.ts'
import { moduleQuery } from './data/modules.ts'
import { queryClient } from './data/query-client.ts'
import { recordQuery } from './data/record.ts'
import { isSignedIn } from './data/session.ts'
import { accounts } from './accounts/accounts.ts'
import { companies } from './companies/companies.ts'
import { contacts } from './contacts/contacts.ts'
import { deals } from './deals/deals.ts'
import { documents } from './documents/documents.ts'
import { meetings } from './meetings/meetings.ts'
import { projects } from './projects/projects.ts'
import { surveys } from './surveys/surveys.ts'
import { tags } from './tags/tags.ts'
import { tasks } from './tasks/tasks.ts'
import { questionTexts } from './insight/report/address.ts'
import type { Screens } from './records/definition.ts'
import { neededQuery } from './records/needed.ts'
import { preloadOwn } from './records/page/own.tsx'
import { listSearch, textsIn } from './records/search.ts'
import { Missing } from './shell/missing.tsx'
import { PageFault } from './shell/page-fault.tsx'
import { PageSkeleton } from './shell/page-skeleton.tsx'
import { Shell } from './shell/shell.tsx'
import { t } from './locales/text.ts'

const root = createRootRoute({ component: Shell, notFoundComponent: Missing })

type Load = () => Promise<{ default: () => React.ReactNode }>

/** A page whose code is loaded on its first visit. */
const codeOf = (load: Load) =>
  lazyRouteComponent(() =>
    load().catch(() => {
      // shown instead of the page; the library would reload, though there may be no network
      throw new Problem(0, 'code_missing', t('It could not be loaded. Check your connection.'))
    }),
  )

/** A page and the texts that its address may have after the path. */
const page = <const Path extends string, const Name extends string = never>(
  path: Path,
  load: Load,
  names: readonly Name[] = [],
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: textsIn(names),
    component: codeOf(load),
  })

/** What the address of a dashboard says of all its widgets. */
const dashboardSearch = ['range', 'owner', 'account', 'pipeline', 'edit'] as const

/** A record type's list, and the pages of its records. */
function recordRoutes<const Address extends string>(of: Screens & { address: Address }) {
  /** Loads the data of a list, and the code of its board, while its own code is loading. */
  const loader = ({ location }: { location: { search: { as?: string } } }) => {
    if (!isSignedIn()) return
    void queryClient.prefetchQuery(moduleQuery(of.module))
    if ((location.search.as ?? of.as) === 'board') {
      import('./records/board/board.tsx').catch(() => {
        // it is loaded again where it is shown, and its failure is shown there
      })
    }
  }
  /** Loads a record, and the code of its own parts, while the code of the page is loading. */
  const recordLoader = ({ params: { id } }: { params: { id: string } }) => {
    if (!isSignedIn()) return
    if (of.head) preloadOwn(of.head)
    if (of.now) preloadOwn(of.now)
    void queryClient.prefetchQuery(neededQuery(of, id))
    queryClient
      .fetchQuery(moduleQuery(of.module))
      .then((module) => queryClient.prefetchQuery(recordQuery(module, id)))
      .catch(() => {
        // the page reads it again and shows why it cannot
      })
  }
  return [
    createRoute({
      getParentRoute: () => root,
      path: of.address,
      validateSearch: listSearch,
      staticData: { screens: of },
      beforeLoad: ({ search }) => {
        // the list of meetings is one of the calendar's; what is filtered or sorted is the table of all
        if (of.module !== 'calendar' || Object.keys(search).some((name) => name !== 'new')) return
        throw redirect({
          to: '/calendar',
          search: search.new ? { new: 'meeting' } : { as: 'list' },
        })
      },
      loader,
      component: codeOf(() => import('./records/list/list-page.tsx')),
    }),
    // one route with and without a tab: another tab is the same page, and does not move the focus
    createRoute({
      getParentRoute: () => root,
      path: `${of.address}/$id/{-$tab}` as const,
      staticData: { screens: of },
      loader: recordLoader,
      component: codeOf(() => import('./records/page/record-page.tsx')),
    }),
  ] as const
}

/** Every address of the workspace. */
const tree = root.addChildren([
  page('/', () => import('./home/home.tsx'), ['as', 'peek']),
  page('/inbox', () => import('./inbox/inbox.tsx'), ['show', 'open']),
  page('/templates', () => import('./templates/gallery.tsx'), ['show']),
  page('/templates/$id', () => import('./templates/editor/editor.tsx')),
  page('/time', () => import('./time/report.tsx'), [
    'group',
    'from',
    'to',
    'billable',
    'person',
    'project',
  ]),
  page('/dashboards', () => import('./insight/dashboards.tsx'), dashboardSearch),
  page('/dashboards/$id', () => import('./insight/dashboards.tsx'), dashboardSearch),
  page('/reports', () => import('./insight/reports.tsx'), questionTexts),
  page('/reports/$report', () => import('./insight/counted.tsx'), [
    'by',
    'range',
    'pipeline',
    'in',
  ]),
  page('/activity', () => import('./insight/activity.tsx'), [
    'range',
    'from',
    'to',
    'person',
    'module',
    'action',
    'source',
    'record',
    'field',
    'q',
    'view',
    'who',
  ]),
  page('/import', () => import('./import/import-page.tsx'), ['module']),
  page('/import/$id', () => import('./import/import-page.tsx')),
  page('/calendar', () => import('./calendar/calendar.tsx'), [
    'as',
    'on',
    'who',
    'projects',
    'hide',
    'zone2',
    'new',
  ]),
  page('/settings', () => import('./settings/settings.tsx')),
  page('/settings/$section', () => import('./settings/settings.tsx'), ['module', 'role', 'field']),
  page('/developers', () => import('./developers/developers.tsx')),
  page('/developers/$section', () => import('./developers/developers.tsx'), [
    'app',
    'subscription',
    'status',
    'event',
    'delivery',
    'method',
    'path',
    'body',
  ]),
  ...recordRoutes(companies),
  ...recordRoutes(contacts),
  ...recordRoutes(accounts),
  ...recordRoutes(deals),
  ...recordRoutes(projects),
  ...recordRoutes(tasks),
  page('/documents/$id/signatures/prepare', () => import('./documents/prepare/prepare.tsx')),
  page('/documents/$id/edit', () => import('./documents/write/write-page.tsx')),
  page('/documents/$id/view', () => import('./documents/view/view-page.tsx')),
  ...recordRoutes(documents),
  ...recordRoutes(meetings),
  page('/surveys/$id/edit', () => import('./surveys/builder/builder.tsx')),
  ...recordRoutes(surveys),
  ...recordRoutes(tags),
])

/** The router; links preload their target when hovered. */
export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFault,
  defaultPendingComponent: PageSkeleton,
  // a page that is there is shown at once
  defaultPendingMinMs: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }

  interface StaticDataRouteOption {
    /** the record type of a list or a record's page */
    screens?: Screens
  }
}
