import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { queryClient } from '../../data/query-client.ts'
import { useStoredDraft } from '../../data/use-stored-draft.ts'
import type { Written } from '../../data/written.ts'
import { newerIn, storeWritten, writtenQuery } from '../../data/written.ts'
import { escapeHtml } from '../../../../server/src/kit/ground/html.ts'
import { normalBlocks } from './html-blocks.ts'
import { mergedBlocks } from './merge.ts'
import { blocksAsHtml } from '../../../../server/src/kit/ground/editor-blocks.ts'

/** A document as it is written: its name, and its blocks as HTML. */
export type Text = { name: string; blocks: string[] }

/** What is stored, as it is edited; blocks of Editor.js are read as what they say. */
export function textOf({ record }: Written): Text {
  const { editor_html_content: html, editorjs_content: blocks } = record
  const written = html || (blocks ? blocksAsHtml(blocks as { [field: string]: unknown }) : '')
  return { name: record.document_name, blocks: normalBlocks(written) }
}

/** What I made of a text that somebody else has changed, too: all of both, with a choice where they touch. */
export function mergedText(base: Text, mine: Text, theirs: Text, me: string): Text {
  const side = (blocks: string[], by: string) =>
    `<div class="side"${by ? ` data-by="${escapeHtml(by)}"` : ''}>${blocks.join('')}</div>`
  const choose = (own: string[], others: string[]) => [
    `<div class="choice">${side(own, me)}${side(others, '')}</div>`,
  ]
  return {
    name: mine.name === base.name ? theirs.name : mine.name,
    blocks: mergedBlocks(base.blocks, mine.blocks, theirs.blocks, choose),
  }
}

/**
 * A document that is written: it stores itself, and keeps what others write. `onMoved` hears when it goes on as another
 * version, which has an id of its own.
 */
export function useWritten(id: string, me: string, onMoved: (id: string) => void) {
  const [kind] = useState(() => kindOf(id, me, onMoved))
  const { data, error, refetch } = useQuery(writtenQuery(kind.current()))
  const edited = useStoredDraft(id, 'document', data, () => kind)
  return { ...edited, error, refetch, current: kind.current, moveTo: kind.moveTo }
}

function kindOf(first: string, me: string, onMoved: (id: string) => void) {
  let id = first
  let isPublished = false
  const moveTo = (next: string) => {
    if (next === id) return
    id = next
    onMoved(next)
  }
  const taken = (stored: Written) => {
    isPublished = stored.record.document_status === 'published'
    moveTo(stored.id)
    return stored
  }
  return {
    current: () => id,
    moveTo,
    draftOf: (stored: Written) => {
      taken(stored)
      return textOf(stored)
    },
    merged: (base: Text, mine: Text, theirs: Text) => mergedText(base, mine, theirs, me),
    store: async ({ name, blocks }: Text, { version }: Written, keepalive: boolean) => {
      const text = { document_name: name.trim() || '–', editor_html_content: blocks.join('\n') }
      try {
        return taken(await storeWritten({ id, version, isPublished }, text, keepalive))
      } catch (problem) {
        const newer = newerIn(problem)
        if (!newer) throw problem
        moveTo(newer)
        // what is stored now is read, and both are kept
        throw new Problem(412, 'stale', (problem as Problem).message)
      }
    },
    read: () => queryClient.fetchQuery(writtenQuery(id)),
  }
}
