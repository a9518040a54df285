import { asProblem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { cancelReads, refreshModule } from './cached.ts'
import type { Conflict } from './change.ts'
import {
  bodyOf,
  conflictOf,
  nameOfOther,
  notifyRefusal,
  rememberOwnChange,
  sendIfUnchanged,
} from './change.ts'
import type { Group, Groups } from './groups.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import type { AnyRecord } from './record.ts'
import { idOf, pathOf, titleOf, valueOf } from './record.ts'
import { withRequired } from './required.ts'
import { t } from '../locales/text.ts'

export type Move = {
  /** the field that decides the lane */
  by: string
  /** the target lane, and the position in it, from 0 */
  value: Group['value']
  label: string
  index: number
  /** all lanes, empty ones too */
  lanes: Pick<Group, 'value' | 'label'>[]
  /** what else changes with it */
  more?: AnyRecord
}

/**
 * Moves a record to a place in a lane: shown at once, with the counts, then sent as one write. A refusal
 * reverts it and shows why; the notice of success can undo it. If somebody else has moved it to another lane since
 * the record was read, the notice says so, and can move it all the same.
 */
export async function moveRecord(
  module: Place,
  record: AnyRecord,
  groupsKey: readonly unknown[],
  move: Move,
  isUndo = false,
): Promise<boolean> {
  await cancelReads(module.module)
  const id = idOf(module, record)
  const before = queryClient.getQueryData<Groups>(groupsKey)
  const from = before?.groups.find((group) =>
    group.records.some((each) => idOf(module, each) === id),
  )
  const fromIndex = from?.records.findIndex((each) => idOf(module, each) === id) ?? 0
  const target = before?.groups.find((group) => group.value === move.value)
  const others = (target?.records ?? []).filter((each) => idOf(module, each) !== id)
  const after = others[move.index - 1]
  const next = others[move.index]
  if (before) {
    queryClient.setQueryData<Groups>(groupsKey, {
      ...before,
      groups: moved(module, before.groups, record, move),
    })
  }
  try {
    const { data } = await withRequired(module.module, id, (required) =>
      sendIfUnchanged(record.version, [move.by], (headers) =>
        request<AnyRecord>('POST', `${pathOf(module, id)}move/`, {
          headers,
          body: {
            ...(after ? { after: idOf(module, after) } : {}),
            ...(next ? { before: idOf(module, next) } : {}),
            ...(from?.value === move.value
              ? {}
              : { set: bodyOf({ [move.by]: move.value, ...move.more, ...required }) }),
          },
        }),
      ),
    )
    rememberOwnChange(module.module, id, data.version)
    void queryClient.invalidateQueries({ queryKey: keys.record(module.module, id) })
    if (!isUndo && from) {
      const back = {
        ...move,
        value: from.value,
        label: from.label ?? t('None [lane]'),
        index: fromIndex,
      }
      delete back.more
      notify({
        message: t('{title} moved to {lane}', {
          title: titleOf(module, record),
          lane: move.label,
        }),
        undo: () => void moveRecord(module, { ...record, ...data }, groupsKey, back, true),
      })
    }
    return true
  } catch (error) {
    queryClient.setQueryData(groupsKey, before)
    const conflict = conflictOf(asProblem(error))
    if (conflict?.current) {
      const now = { ...record, ...conflict.current }
      notify({
        ...conflictNotice(module, now, conflict, move),
        problem: asProblem(error),
        action: {
          label: t('Move to {lane}', { lane: move.label }),
          run: () => void moveRecord(module, now, groupsKey, move),
        },
      })
    } else notifyRefusal(error)
    return false
  } finally {
    void refreshModule(module.module)
  }
}

/** Who has moved the record meanwhile, and where it is now. */
function conflictNotice(
  module: Place,
  now: AnyRecord,
  conflict: Conflict,
  { by, lanes }: Move,
): { message: string; detail: string } {
  const lane = lanes.find(({ value }) => value === valueOf(now, by))?.label
  const person = nameOfOther(conflict, by)
  const message = t('{title} was not moved', { title: titleOf(module, now) })
  return {
    message,
    detail: lane
      ? t('{person} moved it to {lane} meanwhile.', { person, lane })
      : t('{person} moved it to another lane meanwhile.', { person }),
  }
}

/** The lanes with the record in its new place, with counts that fit. */
function moved(
  module: Place,
  groups: Group[],
  record: AnyRecord,
  { by, value, label, index }: Move,
): Group[] {
  const id = idOf(module, record)
  const has = (group: Group) => group.records.some((each) => idOf(module, each) === id)
  const known = groups.some((group) => group.value === value)
  const all = known
    ? groups
    : [...groups, { value, label, color: null, count: 0, sums: [], records: [] }]
  return all.map((group) => {
    const rest = group.records.filter((each) => idOf(module, each) !== id)
    const isTarget = group.value === value
    return {
      ...group,
      count: group.count - (has(group) ? 1 : 0) + (isTarget ? 1 : 0),
      records: isTarget ? rest.toSpliced(index, 0, { ...record, [by]: value }) : rest,
    }
  })
}
