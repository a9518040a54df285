import { notify } from '../../data/notices.ts'
import { announce } from '../../ui/announce.tsx'
import type { Draft, Question, Texts, Way } from './draft.ts'
import {
  brokenBy,
  merged,
  movedTo,
  newId,
  newQuestion,
  numbersOf,
  placed,
  questionsOf,
  withAdded,
  withCopy,
  without,
  withPage,
  withQuestion,
} from './draft.ts'
import type { Edited } from './use-draft.ts'

/** What a person does to a survey, about what is selected: a question, a page, or `survey` for its texts. */
export function useActs(
  edited: Edited,
  draft: Draft,
  { selected, select }: { selected: string; select: (id: string) => void },
) {
  const { change } = edited
  /** Moves a question unless it would stand before what it depends on. */
  const tryMove = (id: string, after: Draft) => {
    if (after === draft) return
    const reason = brokenBy(draft, after)
    if (reason) return notify({ message: reason })
    change(() => after)
    const number = numbersOf(after).get(id)
    const page = after.pages.findIndex(({ fields }) => fields.some((each) => each.id === id)) + 1
    announce(number ? `Question ${number}, page ${page}` : `Page ${page}`)
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
    duplicate(id: string) {
      const copy = newId()
      change((now) => withCopy(now, id, copy))
      select(copy)
    },
    remove(id: string) {
      const after = without(draft, id)
      const all = questionsOf(draft)
      const at = all.findIndex((each) => each.id === id)
      const label = all[at]?.label
      const gone = all.length - questionsOf(after).length
      change(() => after)
      if (selected === id) select((all[at + 1] ?? all[at - 1])?.id ?? 'survey')
      notify({
        message: at >= 0 ? `${label || 'Question'} deleted` : `Page with ${gone} questions deleted`,
        // this one, whatever was changed since
        undo: () => change((now) => merged(after, draft, now)),
      })
    },
    move: (id: string, way: Way) => tryMove(id, movedTo(draft, id, way)),
    place: (id: string, to: { page: string; at: number }) => tryMove(id, placed(draft, id, to)),
    set: (id: string, set: Partial<Question>) =>
      change((now) => withQuestion(now, id, set), `${id} ${Object.keys(set).join()}`),
    setTitle: (id: string, title: string) =>
      change(
        (now) => ({
          ...now,
          pages: now.pages.map((page) => (page.id === id ? { ...page, title } : page)),
        }),
        `${id} title`,
      ),
    setText: (set: Partial<Texts>) =>
      change((now) => ({ ...now, texts: { ...now.texts, ...set } }), Object.keys(set).join()),
  }
}

export type Acts = ReturnType<typeof useActs>
