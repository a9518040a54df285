import { queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'

/** The names of the forms that tasks can ask for, by their ids. */
export const formsQuery = queryOptions({
  queryKey: keys.list('surveys', { forms: 'names' }),
  queryFn: async () => {
    const path = '/api/surveys/forms/'
    const { data } = await request<{ survey_id: string; name: string }[]>('GET', path, {
      query: { page: 1, items_per_page: 200 },
    })
    return new Map(data.map(({ survey_id, name }) => [survey_id, name]))
  },
  staleTime: 60_000,
})

/** How many documents of their own a team chooses from. */
const mostDocuments = 200

/** The names of the documents that belong to no customer, by their ids: what tasks of a template can have a copy of. */
export const ownDocumentsQuery = queryOptions({
  queryKey: keys.list('documents', { own: 'names' }),
  queryFn: async () => {
    const { data } = await request<{ attach_id: string; document_name: string }[]>(
      'GET',
      '/api/documents/',
      {
        query: {
          page: 1,
          items_per_page: mostDocuments,
          sort: 'document_name',
          filter: JSON.stringify([
            { field: 'project_id', operator: 'is_empty' },
            { field: 'account_id', operator: 'is_empty' },
          ]),
        },
      },
    )
    return new Map(data.map(({ attach_id, document_name }) => [attach_id, document_name]))
  },
  staleTime: 60_000,
})
