import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../data/query-client.ts'
import { draftQuery, storeDraft } from '../../data/templates.ts'
import type { TemplateDraft } from '../../data/templates.ts'
import { useStoredDraft } from '../../data/use-stored-draft.ts'
import type { Draft } from './merge.ts'
import { merged } from './merge.ts'
import { configOf, linesOf } from './lines.ts'

function draftOf({ template_config, roles }: TemplateDraft): Draft {
  return { lines: linesOf(template_config), roles }
}

const kindOf = (id: string) => ({
  draftOf,
  merged,
  store: ({ lines, roles }: Draft, { version }: TemplateDraft, keepalive: boolean) =>
    storeDraft(id, { template_config: configOf(lines), roles }, version, keepalive),
  read: () => queryClient.fetchQuery(draftQuery(id)),
})

/** The draft of a template while it is edited: it saves itself, keeps what others change, and can be taken back. */
export function useEdited(id: string) {
  const { data, error, refetch } = useQuery(draftQuery(id))
  const { stored, ...edited } = useStoredDraft(id, 'draft', data, kindOf)
  return {
    ...edited,
    error,
    refetch,
    published: stored?.published_version ?? 1,
    version: stored?.version ?? 0,
    isDraft: edited.isDirty || (stored?.is_draft ?? false),
  }
}

export type Edited = ReturnType<typeof useEdited>
