import { cut } from '../../../kit/ground/cut.ts'
import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { isDay } from '../../../kit/ground/dates.ts'
import type { Job } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { suggested } from '../../../kit/record/suggested.ts'
import type { ToRead } from './asked.ts'
import { readingByModel } from './asked.ts'
import type { StoredTranscript } from './transcript.ts'
import { renewSummary, storedTranscript, withIds } from './transcript.ts'

/** Characters of a transcript that a language model is sent: three hours have some two hundred thousand. */
const mostSent = 120_000

const text = (maxLength: number) => Type.String({ maxLength })
const who = Type.Optional(Type.Union([text(200), Type.Null()]))
const answerSchema = Type.Object({
  summary: text(4000),
  decisions: Type.Array(
    Type.Object({ text: Type.String({ minLength: 1, maxLength: 500 }), line: Type.Integer() }),
    { maxItems: 50 },
  ),
  items: Type.Array(
    Type.Object({
      title: Type.String({ minLength: 1, maxLength: 200 }),
      owner: who,
      due_date: who,
      line: Type.Integer(),
    }),
    { maxItems: 100 },
  ),
})
/**
 * Has the configured language model read a transcript, and stores its answer in place of that of the rules, unless the
 * transcript was replaced meanwhile or a task was made of it. Without a good answer that of the rules stays.
 */
export const readTranscriptByModel: Job<ToRead> = {
  ...readingByModel,
  retries: 1,
  async run({ reads, write }, { calendar_id, at }) {
    const stored = await storedTranscript(reads, calendar_id)
    if (!stored || stored.creation_time !== at || !reads.suggest) return
    const question = questionOf(stored)
    const sent_bytes = Buffer.byteLength(question)
    const { model } = reads.suggest
    const answer = await suggested(reads, answerSchema, { instructions, question })
    await write(async (ctx) => {
      // before it is looked at: tasks may be made of it at the same time
      await ctx.run(sql`select from meeting_insights t
        where ${mine(ctx)} and t.id = ${stored.insight_id} for update`)
      const now = await storedTranscript(ctx, calendar_id)
      if (!now || now.creation_time !== at) return
      const isUsed = now.items.some(({ task_id }) => task_id !== null)
      if (!answer || isUsed) return store(ctx, now, { model, sent_bytes })
      const lineOf = (line: number) => now.lines[line - 1]
      const decisions = answer.decisions.flatMap(({ text: said, line }) => {
        const from = lineOf(line)
        return from ? { text: said, at: from.at, speaker: from.speaker } : []
      })
      const items = answer.items.flatMap(({ title, owner, due_date, line }) => {
        const from = lineOf(line)
        const due = due_date && isDay(due_date) ? due_date : null
        const quote = from ? cut(from.text, 300) : ''
        return from
          ? {
              title,
              owner: owner ?? null,
              due_date: due,
              quote,
              at: from.at,
              speaker: from.speaker,
            }
          : []
      })
      const { summary } = answer
      await store(ctx, now, { model, sent_bytes, summary, decisions, items: withIds(items) })
      await renewSummary(ctx, now, summary)
    })
  },
}

type Result = Pick<StoredTranscript, 'model' | 'sent_bytes'> &
  Partial<Pick<StoredTranscript, 'summary' | 'decisions' | 'items'>>

async function store(
  ctx: Context,
  before: StoredTranscript,
  { model, sent_bytes, ...read }: Result,
) {
  const { summary = before.summary, decisions = before.decisions, items = before.items } = read
  const source = read.items ? 'model' : 'rules'
  await ctx.run(sql`update meeting_transcripts t set is_asked = false, model = ${model}, sent_bytes = ${sent_bytes},
      source = ${source}, summary = ${summary || null}, decisions = ${JSON.stringify(decisions)}::jsonb, items = ${JSON.stringify(items)}::jsonb
    where ${mine(ctx)} and t.calendar_id = ${before.calendar_id}`)
}

function questionOf({ lines }: StoredTranscript): string {
  let left = mostSent
  const rows: string[] = []
  for (const [n, { speaker, text: said }] of lines.entries()) {
    const row = `${n + 1} ${speaker ?? '?'}: ${said}`
    left -= row.length
    if (left < 0) break
    rows.push(row)
  }
  return rows.join('\n')
}

const instructions =
  'You read the transcript of a meeting; each line begins with its number and its speaker. Answer in the language of the transcript with JSON {"summary": three sentences, "decisions": [{"text": text, "line": number}], "items": [{"title": what somebody took on, as a short imperative, "owner": the speaker who does it or null, "due_date": YYYY-MM-DD or null, "line": number}]}. Only what was said: no item without a line.'
