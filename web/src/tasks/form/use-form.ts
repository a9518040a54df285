import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { Answers, Page } from '../../../../server/src/model/forms/form-parts.ts'
import { answersAsked } from '../../../../server/src/model/forms/rules.ts'
import { cachedRecord } from '../../data/cached.ts'
import { changeRecord } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, recordQuery } from '../../data/record.ts'
import { queryClient } from '../../data/query-client.ts'
import { useStoredDraft } from '../../data/use-stored-draft.ts'

type Stored = AnyRecord & { version: number }

const answersOf = (task: AnyRecord | undefined): Answers => (task?.form_responses ?? {}) as Answers
const pagesOf = (task: AnyRecord | undefined) =>
  ((task?.form_structure as { pages?: Page[] } | null)?.pages ?? []) as Page[]

/**
 * The answers of a task's form while they are given: each stores itself, beside what others answer. One that does not
 * fit its question stays as it was typed, and `wrong` has why, by question; the others are stored. `isRefused` knows of
 * what was sent since the last render, too.
 */
export function useForm(module: Module, task: AnyRecord) {
  const [wrong, setWrong] = useState<{ [question: string]: string }>({})
  // what was refused stays as it was typed, and is not sent again before it is changed
  const [refused] = useState(() => new Map<string, Refused>())
  const kindOf = (id: string) => ({
    draftOf: (stored: Stored): Answers => ({
      ...answersOf(stored),
      ...Object.fromEntries([...refused].map(([name, { value }]) => [name, value])),
    }),
    merged: (base: Answers, mine: Answers, theirs: Answers): Answers => {
      const changed = Object.keys({ ...base, ...mine }).filter(
        (name) => !isSame(mine[name], base[name]),
      )
      return { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) }
    },
    async store(draft: Answers, _: Stored, keepalive: boolean): Promise<Stored> {
      const now = () => cachedRecord(module, id) as Stored
      for (const [name, { value }] of refused) {
        if (!isSame(value, draft[name])) refused.delete(name)
      }
      try {
        await send(module, now(), { id, answers: draft, keepalive, refused })
      } finally {
        setWrong(Object.fromEntries([...refused].map(([name, { why }]) => [name, why])))
      }
      return now()
    },
    read: async () => (await queryClient.fetchQuery(recordQuery(module, id))) as Stored,
  })
  const { draft = {}, ...edited } = useStoredDraft<Stored, Answers>(
    idOf(module, task),
    'form',
    task as Stored,
    kindOf,
  )
  return {
    ...edited,
    answers: draft,
    wrong,
    isRefused: (question: string) => refused.has(question),
  }
}

type Refused = { value: unknown; why: string }
type Sent = { id: string; answers: Answers; keepalive: boolean; refused: Map<string, Refused> }

/** Stores the answers that are not stored yet; those that do not fit are added to `refused`. */
async function send(
  module: Module,
  task: AnyRecord,
  { id, answers, keepalive, refused }: Sent,
): Promise<void> {
  const stored = answersOf(task)
  const pages = pagesOf(task)
  const whole = answersAsked(pages, answers)
  const own = pages
    .flatMap(({ fields }) => fields)
    .filter(({ type }) => type !== 'calculated' && type !== 'statement')
  // at most once more without those that are refused
  for (let tries = 0; tries < 2; tries++) {
    const changed = own
      .filter((field) => !refused.has(field.id))
      .filter((field) => !isSame(whole[field.id] ?? null, stored[field.id] ?? null))
      .map((field) => [field.id, whole[field.id] ?? null] as const)
    if (!changed.length) return
    const form_responses = Object.fromEntries(changed)
    try {
      await changeRecord(
        module,
        id,
        { form_responses },
        // only these questions are stored, each as it was answered last
        {
          shown: { form_responses: { ...stored, ...form_responses } },
          regardless: true,
          keepalive,
        },
      )
      return
    } catch (error) {
      const { status, fields } = asProblem(error)
      const wrong = fields.flatMap(({ field, message }) => {
        const name = /^form_responses\.(.+)$/.exec(field)?.[1]
        return name && name in form_responses ? [[name, message] as const] : []
      })
      if (status !== 400 || !wrong.length || tries) throw error
      for (const [name, why] of wrong) refused.set(name, { value: answers[name], why })
    }
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
