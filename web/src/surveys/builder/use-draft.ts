import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import { rememberOwnChange } from '../../data/change.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { useStoredDraft } from '../../data/use-stored-draft.ts'
import type { Draft, Ending, QuestionPage, Texts } from './draft.ts'
import { isAddress, merged, named } from './draft.ts'

type Stored = AnswerOf<'/api/surveys/{id}/draft/', 'get'>

const textNames = [
  'name',
  'description',
  'closing_title',
  'closing_text',
  'closing_button',
  'closing_url',
  'language',
  'translations',
  'background_color',
  'action_color',
] as const

/** The draft of a survey, or what is published where it has none. */
export function draftQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('surveys', { draft: id }),
    queryFn: async () => (await api.get('/api/surveys/{id}/draft/', { path: { id } })).data,
    staleTime: 0,
  })
}

/** What the builder changes, of a survey or its draft. */
export function draftFrom(data: object): Draft {
  const { form_structure: structure, ...rest } = data as Partial<Texts> & {
    form_structure?: { pages?: QuestionPage[]; endings?: Ending[] }
  }
  const texts = Object.fromEntries(textNames.map((name) => [name, rest[name] ?? null]))
  const pages = (structure?.pages ?? []).map((page) => ({
    ...page,
    fields: page.fields.map((field) => ({ ...field, label: field.label ?? '' })),
  }))
  const endings = structure?.endings ?? []
  return { pages, endings, texts: { ...(texts as Texts), name: rest.name ?? '' } }
}

/**
 * A draft in the form of a body; choices without words are not sent, nor a name that is empty, and in place of half an
 * address the one that is stored.
 */
export function bodyFrom(
  { pages, endings, texts: { name, closing_url, ...texts } }: Draft,
  stored?: Draft,
) {
  const urls = new Map(stored?.endings.map(({ id, url }) => [id, url]))
  const asked = pages.map((page) => ({
    ...page,
    fields: page.fields.map(({ options, rows, ...field }) => ({
      ...field,
      ...(options ? { options: named(options) } : {}),
      ...(rows ? { rows: named(rows) } : {}),
    })),
  }))
  return {
    form_structure: {
      pages: asked,
      endings: endings.map(({ url, ...each }) => ({
        ...each,
        ...withUrl(isAddress(url) ? url : urls.get(each.id)),
      })),
    },
    ...texts,
    ...(isAddress(closing_url) ? { closing_url } : {}),
    ...(name.trim() ? { name } : {}),
  }
}

function withUrl(url: string | null | undefined) {
  return url === undefined ? {} : { url }
}

async function store(
  id: string,
  draft: Draft,
  stored: Stored,
  keepalive: boolean,
): Promise<Stored> {
  const { data } = await api.put('/api/surveys/{id}/draft/', {
    path: { id },
    body: bodyFrom(draft, draftFrom(stored)),
    headers: { 'if-match': `"${stored.version}"` },
    keepalive,
  })
  rememberOwnChange('surveys', id, data.version)
  queryClient.setQueryData(draftQuery(id).queryKey, data)
  return data
}

const kindOf = (id: string) => ({
  draftOf: draftFrom,
  merged,
  store: (draft: Draft, stored: Stored, keepalive: boolean) => store(id, draft, stored, keepalive),
  read: () => queryClient.fetchQuery(draftQuery(id)),
})

/** The draft of a survey while it is edited: it saves itself, keeps what others change, and can be taken back. */
export function useDraft(id: string) {
  const { data, error, refetch } = useQuery(draftQuery(id))
  const { stored, ...edited } = useStoredDraft<Stored, Draft>(id, 'survey', data, kindOf)
  return { ...edited, error, refetch, version: stored?.version ?? 0 }
}

export type Edited = ReturnType<typeof useDraft>
