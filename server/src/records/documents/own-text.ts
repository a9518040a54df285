import type { Context } from '../../kit/ground/context.ts'
import { blocksAsHtml } from '../../kit/ground/editor-blocks.ts'
import type { StoredDocument } from '../../model/documents/document.ts'
import { sanitized } from './sanitized.ts'

type Written = Pick<StoredDocument, 'editor_html_content' | 'editorjs_content'>

/** A document's own text as safe HTML: what the editor wrote, or the blocks of Editor.js; null without any. */
export async function writtenOf(
  ctx: Pick<Context, 'organization' | 'services'>,
  { editor_html_content, editorjs_content }: Written,
): Promise<string | null> {
  // safe since it was written
  if (editor_html_content) return editor_html_content
  if (!editorjs_content) return null
  return (await sanitized(ctx, blocksAsHtml(editorjs_content))) || null
}
