import { invalidateConnection, testConnection } from '../../records/apps/connection.ts'
import { scopeOf, sufficientScopes } from '../../records/apps/scopes.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import {
  listDeliveries,
  resendDelivery,
  resendFailedDeliveries,
} from '../../webhooks/delivery-log.ts'
import { listEvents, readSample, testWebhook } from '../../webhooks/operations.ts'
import {
  listSubscriptions,
  rotateSecret,
  subscribe,
  unsubscribe,
} from '../../webhooks/subscription.ts'
import { triggerEvent } from '../../webhooks/trigger.ts'
import type { Route } from '../route.ts'
import { Company } from '../../model/companies/company.ts'
import { companies } from '../../records/companies/operations.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { following } from '../../model/merging/tombstone.ts'
import { del, get, post, put } from '../route.ts'
import { listChanges } from './changes.ts'
import { companyFields, contactFields, readCompany, readContact, readUsers } from './reads.ts'
import { createOne, listProjects, readDealOptions, readProject, updateOne } from './projects.ts'
import { createTaskOfProject, listTasks, readTask, updateOneTask } from './tasks.ts'
import { listTemplates } from './templates.ts'
import { bulkOf } from './bulk.ts'
import { exportsForApps } from './exports.ts'
import type { Kind } from './kinds.ts'
import { kinds } from './kinds.ts'
import { listing } from './listing.ts'
import { matching } from './matching.ts'
import { searchRecords } from './search.ts'
import { byItsOwnId } from './modes.ts'
import { recordOfType } from '../../model/projects/project.ts'
import { typeOf } from '../../records/projects/input.ts'
import { Task } from '../../model/tasks/task.ts'
import { surveyResponses } from '../../records/surveys/responses/operations.ts'

/** The introduction of the surface in the document; every request has a token, a signature and a key. */
export const integrationSurface = {
  name: 'integration',
  description:
    'For automation platforms, with an access token of the OAuth flow, the signature headers and the function key.',
  security: (operation: Operation) => {
    const scopes = sufficientScopes(operation)
    const signed = { bearerAuth: [], oauthTimestamp: [], oauthSignature: [], functionsKey: [] }
    // any one of them is sufficient
    return scopes.length
      ? scopes.map((scope) => ({ oauth2: [scope], ...signed }))
      : [{ oauth2: [], ...signed }]
  },
}

const matchingCompany = matching(companies.create, {
  recordOf: () => Company,
  update: (ctx, id, input) => companies.update.run(ctx, { ...input, params: { id } }),
})

const matchingContact = matching(contacts.create, {
  recordOf: () => Contact,
  update: (ctx, id, input) => contacts.update.run(ctx, { ...input, params: { id } }),
})

const matchingProject = matching(createOne, {
  recordOf: (body) => recordOfType(typeOf(body) ?? 'project'),
  update: (ctx, project_id, input) => updateOne.run(ctx, { ...input, params: { project_id } }),
})

const matchingTask = matching(createTaskOfProject, {
  recordOf: () => Task,
  update: (ctx, task_id, input) => updateOneTask.run(ctx, { ...input, params: { task_id } }),
})

/** The list and reads of a kind at `word`, and its writes where it has some. */
function routesOf(segment: string, word: string, module: keyof typeof kinds): Route[] {
  const kind: Kind = kinds[module]
  const { record, read, create, update } = kind
  const { key } = record
  const path = `/${segment}/${word}`
  const one = `${path}/{${key}}`
  return [
    get(path, listing(module, kind)),
    get(one, byItsOwnId(key, read)),
    ...(create ? [post(path, matched(kind, create), { ...written, location: one })] : []),
    ...(update ? [put(one, byItsOwnId(key, update), { envelope: 'data' })] : []),
  ]
}

const written = { status: 201, envelope: 'data' } as const

/** A create that finds existing records by a custom field, where the kind has some. */
function matched({ record, update }: Kind, create: Operation): Operation {
  if (!update || !record.fields.custom_fields) return create
  return matching(create, {
    recordOf: () => record,
    update: (ctx, id, input) => update.run(ctx, { ...input, params: { id } }),
  })
}

/** Many at once; documents are written one by one, as each text is made safe before the transaction. */
function bulkRoutes(segment: string): Route[] {
  const lists: { [word: string]: Parameters<typeof bulkOf>[0] } = {
    company: {
      things: 'companies',
      key: 'company_id',
      create: matchingCompany,
      update: kinds.companies.update,
    },
    contact: {
      things: 'contacts',
      key: 'contact_id',
      create: matchingContact,
      update: kinds.contacts.update,
    },
    account: {
      things: 'accounts',
      key: 'account_id',
      create: matched(kinds.accounts, kinds.accounts.create),
      update: kinds.accounts.update,
    },
    project: {
      things: 'projects_and_deals',
      key: 'project_id',
      create: matchingProject,
      update: updateOne,
    },
    task: { things: 'tasks', key: 'task_id', create: matchingTask, update: updateOneTask },
    meeting: { things: 'meetings', key: 'calendar_id', ...kinds.meetings },
  }
  return Object.entries(lists).map(([word, writes]) =>
    post(`/${segment}/${word}/bulk`, bulkOf(writes), { location: undefined }),
  )
}

/**
 * The whole integration surface, one line per operation. `segment` is the automation platform's name
 * in the paths.
 */
export function integrationRoutes(segment: string): Route[] {
  const routes: Route[] = [
    get(`/${segment}/test`, testConnection),

    get(`/${segment}/company`, readCompany),
    post(`/${segment}/company`, matchingCompany, {
      status: 201,
      envelope: 'data',
      location: `/${segment}/company?company_id={id}`,
    }),
    put(
      `/${segment}/company/{company_id}`,
      byItsOwnId('company_id', following(Company, companies.update)),
      {
        envelope: 'data',
      },
    ),
    put(`/${segment}/company/field-config`, companyFields.update, { envelope: 'data' }),

    get(`/${segment}/contact`, readContact),
    post(`/${segment}/contact`, matchingContact, {
      status: 201,
      envelope: 'data',
      location: `/${segment}/contact?contact_id={id}`,
    }),
    put(
      `/${segment}/contact/{contact_id}`,
      byItsOwnId('contact_id', following(Contact, contacts.update)),
      {
        envelope: 'data',
      },
    ),
    put(`/${segment}/contact/field-config`, contactFields.update, { envelope: 'data' }),

    get(`/${segment}/templates`, listTemplates),

    get(`/${segment}/project`, listProjects),
    post(`/${segment}/project`, matchingProject, {
      status: 201,
      location: `/${segment}/project/{id}`,
    }),
    get(`/${segment}/project/{project_id}`, readProject),
    put(`/${segment}/project/{project_id}`, updateOne),
    get(`/${segment}/deal/options`, readDealOptions),
    get(`/${segment}/tasks`, listTasks),
    get(`/${segment}/task`, listing('tasks', kinds.tasks)),
    post(`/${segment}/task`, matchingTask, {
      status: 201,
      location: `/${segment}/task/{id}`,
    }),
    get(`/${segment}/task/{task_id}`, readTask),
    put(`/${segment}/task/{task_id}`, updateOneTask),

    ...routesOf(segment, 'account', 'accounts'),
    ...routesOf(segment, 'meeting', 'meetings'),
    ...routesOf(segment, 'document', 'documents'),
    ...routesOf(segment, 'survey', 'surveys'),
    get(`/${segment}/survey/{survey_id}/response`, byItsOwnId('survey_id', surveyResponses.page)),
    get(
      `/${segment}/survey/{survey_id}/response/export`,
      byItsOwnId('survey_id', surveyResponses.export),
    ),
    ...routesOf(segment, 'comment', 'comments'),

    ...bulkRoutes(segment),
    ...Object.entries(exportsForApps).map(([module, operation]) =>
      get(`/${segment}/exports/${module}`, operation),
    ),

    get(`/${segment}/users`, readUsers),
    get(`/${segment}/users/{user_id}`, byItsOwnId('user_id', kinds.people.read)),
    get(`/${segment}/search`, searchRecords),
    get(`/${segment}/changes`, listChanges),

    del(`/${segment}/invalidate`, invalidateConnection, { status: 200 }),

    post('/webhook/subscribe', subscribe, { status: 201, location: undefined }),
    del('/webhook/unsubscribe', unsubscribe, { status: 200 }),
    get('/webhook/subscriptions', listSubscriptions),
    post('/webhook/subscriptions/{id}/rotate-secret', rotateSecret),
    get('/webhook/events', listEvents),
    get('/webhook/sample', readSample),
    post('/webhook/test', testWebhook),
    post('/webhook/trigger', triggerEvent),
    get('/webhook/deliveries', listDeliveries),
    post('/webhook/deliveries/resend-failed', resendFailedDeliveries),
    post('/webhook/deliveries/{id}/resend', resendDelivery),
  ]
  // an operation without a scope stops the start
  for (const { operation } of routes) scopeOf(operation)
  return routes
}
