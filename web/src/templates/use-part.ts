import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { foldedText } from '../../../server/src/kit/ground/fold.ts'
import { projectPlanQuery } from '../data/project-plan.ts'
import type { TemplateUseBody } from '../data/templates.ts'
import type { Outline } from './outline.ts'

/** What of a template is added to a running project, and where. */
export type Part = {
  body: Pick<TemplateUseBody, 'milestones' | 'without' | 'after'>
  isEmpty: boolean
  milestones: PartMilestone[]
  /** the milestones of the project, behind one of which it is added */
  places: { id: string; name: string }[]
  /** null is before all; by default behind the last one */
  after: string | null | undefined
  setAfter: (after: string | null) => void
  /** as it is chosen for another template */
  reset: () => void
}

export type PartMilestone = {
  name: string
  tasks: number
  isThere: boolean
  isTaken: boolean
  take: (isTaken: boolean) => void
  /** its tasks that the project has already, by their title */
  known: { ref: string; title: string; number: string; isTaken: boolean; take: Take }[]
}

type Take = (isTaken: boolean) => void

/** Chooses a part of a template for a project; what the project has already is left out, unless it is wanted. */
export function usePart(projectId: string | undefined, outline: Outline | undefined): Part {
  const { data } = useQuery({
    ...projectPlanQuery(projectId ?? ''),
    enabled: projectId !== undefined,
  })
  const [milestones, setMilestones] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [tasks, setTasks] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [after, setAfter] = useState<string | null>()
  const running = projectId === undefined ? undefined : data?.plan
  const names = new Set(running?.milestones.map(({ name }) => foldedText(name ?? '')))
  const numbers = new Map(
    running?.tasks.map(({ title, number }) => [foldedText(title ?? ''), number ?? '']),
  )
  const parts = (outline?.milestones ?? []).map(({ name, tasks: count, lines }, at) => {
    const isThere = names.has(foldedText(name))
    return {
      name,
      tasks: count,
      isThere,
      isTaken: milestones.get(at) ?? !isThere,
      take: (isTaken: boolean) => setMilestones((before) => new Map(before).set(at, isTaken)),
      known: lines.flatMap(({ ref, title }) => {
        const number = numbers.get(foldedText(title))
        if (number === undefined) return []
        const take: Take = (isTaken) => setTasks((before) => new Map(before).set(ref, isTaken))
        return { ref, title, number, isTaken: tasks.get(ref) ?? false, take }
      }),
    }
  })
  const taken = parts.flatMap(({ isTaken }, at) => (isTaken ? at : []))
  const left = parts.flatMap(({ isTaken, known }) =>
    isTaken ? known.flatMap((task) => (task.isTaken ? [] : task.ref)) : [],
  )
  return {
    body: {
      ...(taken.length < parts.length ? { milestones: taken } : {}),
      ...(left.length ? { without: [...new Set(left)] } : {}),
      ...(after === undefined ? {} : { after }),
    },
    isEmpty: taken.length === 0,
    milestones: parts,
    places: (running?.milestones ?? []).flatMap(({ milestone_id, name }) =>
      milestone_id ? { id: milestone_id, name: name ?? '' } : [],
    ),
    after,
    setAfter,
    reset: () => {
      setMilestones(new Map())
      setTasks(new Map())
    },
  }
}
