import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/ground/errors.ts'
import { html } from '../../kit/ground/html-template.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../../model/languages/language.ts'
import { checkLimit, checkedSeal } from '../../records/documents/seals/verify.ts'
import type { Runtime } from '../../runtime.ts'
import { addressOf } from '../address.ts'
import { receive, takeUploads } from '../upload.ts'
import { visitorVoice } from './look.ts'
import { sendPage } from './page.ts'
import type { Page } from './page.ts'
import { visitorContext } from './plugin.ts'

/** The page on which anybody sees what a sealed PDF is. The file is looked at and not stored. */
export async function checkPages(outer: FastifyInstance, runtime: Runtime): Promise<void> {
  // other pages take no files
  await outer.register(async (scope) => {
    takeUploads(scope)
    routes(scope, runtime)
  })
}

function routes(scope: FastifyInstance, runtime: Runtime): void {
  scope.get('/check', async (request, reply) => {
    return sendPage(reply, 200, checkPage(visitorVoice(request), []))
  })
  scope.post('/check', async (request, reply) => {
    const voice = visitorVoice(request)
    const { dataDir, bounds } = runtime.config
    const folder = join(dataDir, 'uploads')
    const discard = await receive(request, { limit: checkLimit }, {}, { folder, bounds })
    try {
      const sentences = await sentencesOf(runtime, request, voice)
      return await sendPage(reply, 200, checkPage(voice, sentences))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 400) throw error
      return await sendPage(reply, 400, checkPage(voice, [voice.say('check.unreadable')]))
    } finally {
      await discard()
    }
  })
}

/** What there is to say about the file of a request. */
async function sentencesOf(
  runtime: Runtime,
  request: FastifyRequest,
  { say, instant }: Voice,
): Promise<string[]> {
  const { upload } = request
  if (!upload?.size) return [say('check.missing')]
  const ctx = visitorContext(runtime, request)
  const namesOf = (fingerprints: string[]) =>
    // every organization's certificate is public with what it has sealed
    ctx.lookup.all<{ fingerprint: string; name: string }>(sql`
      select t.fingerprint, o.name from signing_certificates t
      join organizations o on o.organization_id = t.organization_id
      where t.fingerprint = any(${fingerprints})`)
  const queue = addressOf(request)
  const checked = await checkedSeal(ctx, { namesOf, queue }, upload.path)
  if (!checked) return [say('check.unreadable')]
  const { state, signer, issuer, signed_at, timestamp } = checked.seal
  const said = { name: checked.organization ?? signer ?? '', issuer: issuer ?? '' }
  if (state === 'changed' || state === 'unsigned') return [say(`check.${state}`)]
  return [
    say(`check.${state}`, said),
    ...(signed_at ? [say('check.at', { date: instant(signed_at) })] : []),
    ...(timestamp
      ? [say('check.stamped', { authority: timestamp.authority, date: instant(timestamp.at) })]
      : []),
  ]
}

function checkPage(voice: Voice, sentences: string[]): Page {
  const { say } = voice
  const title = say('check.title')
  return {
    voice,
    title,
    main: html`<h1>${title}</h1>
      ${sentences.length ? html`<div role="status">${sentences.map((each) => html`<p><strong>${each}</strong></p>`)}</div>` : ''}
      <p>${say('check.intro')}</p>
      <form method="post" action="/check" enctype="multipart/form-data">
        <label for="file">${say('check.file')}</label>
        <input id="file" name="file" type="file" accept="application/pdf,.pdf" required />
        <div class="actions"><button class="main">${say('check.submit')}</button></div>
      </form>`,
  }
}
