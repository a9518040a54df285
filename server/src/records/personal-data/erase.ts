import type { Context } from '../../kit/ground/context.ts'
import type { Job, Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { securityEntries } from '../../model/organizations/security.ts'
import { attachedByOthers, eraseAttached, eraseFiles } from './files.ts'
import { agreementsOf } from './agreements.ts'
import { eraseAnswersToRepeat, eraseJobs, eraseOutbox } from './mails.ts'
import type { OwnRows } from './own-rows.ts'
import {
  eraseAccess,
  eraseAnswers,
  eraseHistory,
  eraseLog,
  erasePeople,
  eraseSignatures,
} from './own-rows.ts'
import type { Pattern } from './pattern.ts'
import type { Person } from './person.ts'
import type { Receipt, Working } from './request.ts'
import { advance, counted, lockRequest, personOf, tracesOf } from './request.ts'
import { scrubTables } from './scrub.ts'
import { eraseSpeakers } from './speakers.ts'

/** The job that erases a person, by the id of the request. */
export const erasing = { name: 'erase-person' }

type Step = (work: Work, request: Working, person: Person, pattern: Pattern) => Promise<void>

/**
 * Erases a person everywhere, step by step; each step stores its progress and is idempotent. What
 * is written meanwhile is found by the last steps. `outbox` is the folder of unsent mails, `jobsSchema`
 * the database schema of the job queue.
 */
export function erasePerson({
  outbox,
  jobsSchema,
}: {
  outbox: string
  jobsSchema: string
}): Job<{ request_id: string }> {
  const steps: Step[] = [
    within(eraseAccess),
    within(eraseHistory),
    log,
    within(eraseSpeakers),
    within(erasePeople),
    within(eraseAnswers),
    eraseAttached,
    within(eraseSignatures),
    eraseFiles,
    scrubTables,
    (work, request, _, pattern) => eraseAnswersToRepeat(work, request, pattern),
    (work, request, _, pattern) => eraseJobs(work, request, pattern, jobsSchema),
    (work, request, _, pattern) => eraseOutbox(work, request, pattern, outbox),
    scrubTables,
    // mails that were being sent meanwhile
    (work, request, _, pattern) => eraseJobs(work, request, pattern, jobsSchema),
    (work, request, _, pattern) => eraseOutbox(work, request, pattern, outbox),
    finish,
  ]
  return {
    ...erasing,
    retries: 20,
    async run(work, { request_id }) {
      const request = await work.write((ctx) => lockRequest(ctx, request_id))
      if (!request.sealed) return
      const person = personOf(work.reads, request)
      const pattern = tracesOf(request, person)
      while (request.step < steps.length) {
        work.signal.throwIfAborted()
        const at = request.step
        await steps[at]?.(work, request, person, pattern)
        await work.write(async (ctx) => {
          Object.assign(request, await lockRequest(ctx, request_id))
          if (request.step === at && request.sealed) await advance(ctx, request, { step: at + 1 })
        })
        if (!request.sealed) return
      }
    },
  }
}

/** A step that is one transaction. */
function within(erase: OwnRows): Step {
  return ({ write }, request, person) =>
    write(async (ctx) => {
      Object.assign(request, await lockRequest(ctx, request.id))
      await advance(ctx, request, { receipt: await erase(ctx, request, person) })
    })
}

const log: Step = async ({ write, signal }, request) => {
  for (let rows = 1; rows;) {
    signal.throwIfAborted()
    rows = await write(async (ctx) => {
      Object.assign(request, await lockRequest(ctx, request.id))
      const done = await eraseLog(ctx, request)
      await advance(ctx, request, { receipt: counted(request.receipt, 'events', done) })
      return done
    })
  }
}

/** Completes the receipt and deletes who the person was. */
const finish: Step = ({ write }, request, person) =>
  write(async (ctx) => {
    Object.assign(request, await lockRequest(ctx, request.id))
    const files = await attachedByOthers(ctx, request, person)
    const receipt = { ...request.receipt, ...files, ...(await remaining(ctx, person)) }
    await forgetWords(ctx, person)
    await ctx.run(sql`update personal_data_requests t set status = 'completed', sealed = null,
        place = null, receipt = ${JSON.stringify(receipt)}::jsonb,
        finished_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.id = ${request.id}`)
    Object.assign(request, { sealed: null })
    const { user_ids, contact_ids, created_by } = request
    const title = 'Personal data erased'
    const more = { request_id: request.id, user_ids, contact_ids }
    await announce(ctx, { ...securityEntries, word: 'personal data' }, 'erased', {
      id: null,
      title,
      more,
      notify: created_by
        ? [{ user_id: created_by, notification_type: 9, title, notification_obj: more }]
        : [],
    })
    ctx.forget()
  })

async function remaining(ctx: Context, person: Person): Promise<Pick<Receipt, 'kept' | 'beyond'>> {
  const { documents } = await agreementsOf(ctx, person)
  const agreements = {
    what: 'Signed agreements: their content, the names and addresses of who signed, the audit trail',
    why: 'They are evidence of a contract',
    document_ids: documents,
  }
  return {
    kept: documents.length ? [agreements] : [],
    beyond: [
      'Backups of the database and of the files, and the log lines of the operator',
      'Mails and webhooks that have left the service',
      'Texts that mention the person by a part of the name alone',
      'Files in formats without plain text and files that others attached for signatures, counted as not_searched',
    ],
  }
}

/** Removes words of the name that occur nowhere else from the list for correcting mistyped words. */
async function forgetWords(ctx: Context, { names, emails }: Person) {
  const words = [...names, ...emails].flatMap((text) => text.toLowerCase().split(/[^\p{L}\d]+/u))
  await ctx.run(sql`delete from search_words t where ${mine(ctx)} and t.word = any(${words})
    and not exists (select from search_entries e where ${mine(ctx, 'e')}
      and position(' ' || t.word in ' ' || e.title_key) > 0)`)
}
