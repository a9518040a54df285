import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { fileLimit } from '../../records/documents/file.ts'
import type { Look } from '../pages/page.ts'

/** How many files one form may have. */
export const mostFiles = 10

/** What came of a form with files: how many are there now, one that was taken back, and why some were refused. */
export type Filed = { added: number; removed?: string; refused: string[]; status: number }

/** The form that takes files of a task. */
export function uploadForm(
  say: Look['voice']['say'],
  { action, isMain }: { action: string; isMain: boolean },
): Html {
  return html`<form method="post" action="${action}/files" enctype="multipart/form-data">
    <label for="upload">${say('portal.choose_files')}</label>
    <input id="upload" name="file" type="file" multiple required aria-describedby="upload-note" />
    <p class="quiet" id="upload-note">
      ${say('portal.files_note', { count: mostFiles, limit: fileLimit / 1024 / 1024 })}
    </p>
    <div class="actions">
      <button class="${isMain ? 'main' : ''}">${say('portal.upload')}</button>
    </div>
  </form>`
}
