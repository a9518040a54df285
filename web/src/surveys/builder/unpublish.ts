import { api } from '../../api/client.ts'
import type { AnswerOf } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { versionIn } from '../../data/record.ts'
import { t } from '../../locales/text.ts'

/** A survey as it is published. */
export type Survey = AnswerOf<'/api/surveys/{id}/', 'get'>

/** What publishing takes of a draft. */
function contentOf(survey: Survey) {
  const { name, description, language, translations, background_color, background_url } = survey
  const { closing_title, closing_text, closing_button, closing_url } = survey
  const { action_color, field_border, form_structure } = survey
  const { pages, endings = [] } = form_structure
  return {
    name,
    description,
    language,
    translations,
    background_color,
    background_url,
    action_color,
    field_border,
    closing_title,
    closing_text,
    closing_button,
    closing_url,
    form_structure: { pages, endings },
  }
}

/**
 * Puts a survey back to what it was before it was published: what people see, and whether they may answer. What was
 * published is its draft again, unless it has a newer one. Throws where it was published again since.
 */
export async function unpublish(id: string, before: Survey, published: Survey): Promise<void> {
  const path = { id }
  const { data: draft, headers } = await api.get('/api/surveys/{id}/draft/', { path })
  const { data: now } = await api.get('/api/surveys/{id}/', { path })
  if (JSON.stringify(contentOf(now)) !== JSON.stringify(contentOf(published))) {
    throw new Problem(409, 'changed', t('What is published has been changed since then.'))
  }
  let version = versionIn(headers)
  const put = async (
    body: Partial<ReturnType<typeof contentOf>> & { status?: Survey['status'] },
  ) => {
    const reply = await api.put('/api/surveys/{id}/', { path, body, headers: ifMatch(version) })
    version = versionIn(reply.headers)
  }
  // a published survey cannot be empty, as one may have been before
  if (before.status === 'draft' && now.status !== 'draft') await put({ status: 'draft' })
  await put({
    ...contentOf(before),
    ...(before.status === 'closed' ? { status: before.status } : {}),
  })
  if (draft.is_draft) return
  const body = contentOf(published)
  await api.put('/api/surveys/{id}/draft/', { path, body, headers: ifMatch(version) })
}

function ifMatch(version: number | undefined): { [name: string]: string } {
  return version === undefined ? {} : { 'if-match': `"${version}"` }
}
