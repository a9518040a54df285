import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import { announce } from '../../ui/announce.tsx'
import type { Draft, Ending, Question, QuestionPage, Texts, Way } from './draft.ts'
import { copiedQuestions, copyQuestions } from './copied.ts'
import {
  broughtIn,
  brokenBy,
  conditionOn,
  endingPlaced,
  endingTitle,
  idOfKind,
  merged,
  movedTo,
  newId,
  newQuestion,
  numbersOf,
  placed,
  questionsAt,
  questionsOf,
  withAdded,
  withCopy,
  withEnding,
  withEndingAdded,
  withKind,
  without,
  withPage,
  withQuestion,
} from './draft.ts'
import type { Edited } from './use-draft.ts'
import { t } from '../../locales/text.ts'

/**
 * What a person does to a survey, about what is selected: a question, a page, an ending, `closing` for the last one, or
 * `survey` for its texts. `published` is
 * undefined where it never was.
 */
export function useActs(
  edited: Edited,
  draft: Draft,
  published: Draft | undefined,
  { selected, select }: { selected: string; select: (id: string) => void },
) {
  const { change } = edited
  /** the ids that questions began with, by those that they have since their kind is another one */
  const [firsts] = useState(() => new Map<string, string>())
  /** Moves a question unless it would stand before what it depends on. */
  const tryMove = (id: string, after: Draft) => {
    if (after === draft) return
    const reason = brokenBy(draft, after)
    if (reason) return notify({ message: reason })
    change(() => after)
    const ending = after.endings.findIndex((each) => each.id === id) + 1
    if (ending) return announce(t('Ending {at}', { at: ending }))
    const number = numbersOf(after).get(id)
    const page = after.pages.findIndex(({ fields }) => fields.some((each) => each.id === id)) + 1
    announce(
      number ? t('Question {number}, page {page}', { number, page }) : t('Page {page}', { page }),
    )
  }
  return {
    selected,
    select,
    change,
    add(added: Question[]) {
      change((now) => withAdded(now, added, selected))
      const last = added.at(-1)
      if (last) select(last.id)
    },
    addKind(type: string) {
      this.add([newQuestion(type)])
    },
    addPage() {
      const page = { id: newId(), title: '', fields: [] }
      change((now) => withPage(now, page, selected))
      select(page.id)
    },
    addEnding() {
      const last = questionsOf(draft).findLast(({ type }) => type !== 'statement')
      const show_if = last ? [conditionOn(last)] : []
      const ending: Ending = { id: newId(), title: '', text: '', show_if }
      change((now) => withEndingAdded(now, ending, selected))
      select(ending.id)
    },
    /** the text of a question, or of a page's, which is what any survey pastes; undefined for none */
    copied: (id: string) => copyQuestions(questionsAt(draft, id)),
    /** adds what was copied in a survey, or says that the text is another */
    paste(text: string): boolean {
      const copied = copiedQuestions(text)
      if (copied) this.add(broughtIn(draft, copied))
      return copied !== undefined
    },
    duplicate(id: string) {
      const copy = newId()
      change((now) => withCopy(now, id, copy))
      select(copy)
    },
    remove(id: string) {
      const after = without(draft, id)
      const all = questionsOf(draft)
      const at = all.findIndex((each) => each.id === id)
      const ending = draft.endings.find((each) => each.id === id)
      const label = ending ? endingTitle(ending) : all[at]?.label
      const gone = all.length - questionsOf(after).length
      change(() => after)
      notify({
        message:
          at >= 0 || ending
            ? t('{label} deleted', { label: label || t('Question') })
            : t('Page with {count} question deleted | Page with {count} questions deleted', {
                count: gone,
              }),
        // this one, whatever was changed since
        undo: () => change((now) => merged(after, draft, now)),
        undoByKey: edited.undo,
      })
    },
    move: (id: string, way: Way) => tryMove(id, movedTo(draft, id, way)),
    placeEnding: (id: string, at: number) => tryMove(id, endingPlaced(draft, id, at)),
    place: (id: string, to: { page: string; at: number }) => tryMove(id, placed(draft, id, to)),
    set: (id: string, set: Partial<Question>) =>
      change((now) => withQuestion(now, id, set), `${id} ${Object.keys(set).join()}`),
    setKind(question: Question, type: string) {
      if (type === question.type) return
      const first = firsts.get(question.id)
      const id = idOfKind(draft, published, question, { type, first })
      if (id !== question.id) firsts.set(id, first ?? question.id)
      change((now) => withQuestion(now, question.id, { ...withKind(question, type), id }))
      select(id)
    },
    setPage: (id: string, set: Partial<QuestionPage>) =>
      change(
        (now) => ({
          ...now,
          pages: now.pages.map((page) => (page.id === id ? { ...page, ...set } : page)),
        }),
        `${id} ${Object.keys(set).join()}`,
      ),
    setEnding: (id: string, set: Partial<Ending>) =>
      change((now) => withEnding(now, id, set), `${id} ${Object.keys(set).join()}`),
    setText: (set: Partial<Texts>) =>
      change((now) => ({ ...now, texts: { ...now.texts, ...set } }), Object.keys(set).join()),
  }
}

export type Acts = ReturnType<typeof useActs>
