import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestWorkspace } from './workspace.ts'

type Call = Awaited<ReturnType<TestWorkspace['as']>>

/** A project, with milestones and their tasks by title; what is stored of it, and where its plan is shown. */
export async function planProject(
  call: Call,
  project_name: string,
  milestones: { [name: string]: string[] } = {},
) {
  await call('POST', '/api/project/info/', { project_name })
  const q = encodeURIComponent(project_name)
  const [{ project_id }] = await call(
    'GET',
    `/api/project/info/?page=1&items_per_page=1&project_type=project&q=${q}`,
  )
  const read = () => call('GET', `/api/project/info/${project_id}/plan/`)
  for (const [name, titles] of Object.entries(milestones)) {
    await call('POST', `/api/project/info/${project_id}/milestones/`, { name })
    const { milestone_id } = (await read()).milestones.at(-1)
    for (const [position, title] of titles.entries()) {
      await call('POST', '/api/tasks/', { title, milestone_id, project_id, position })
    }
  }
  /** The stored plan as numbers and titles, and some of its fields. */
  const outline = async (...fields: string[]) => {
    const { milestones: tops, tasks } = await read()
    return [...tops, ...tasks]
      .toSorted((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }))
      .map((row) => [`${row.number} ${row.title ?? row.name}`, ...fields.map((of) => row[of])])
      .map((row) => (fields.length ? row : row[0]))
  }
  const idOf = async (title: string): Promise<string> =>
    (await read()).tasks.find((task: { title: string }) => task.title === title).item_id
  return { project_id, path: `/projects/${project_id}/plan`, outline, read, idOf }
}

/** The cell of a row in the grid, by the title. */
export function planCell(page: Page, title: string, column = 'title') {
  return page
    .getByRole('row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .locator(`[data-column="${column}"]`)
}

/** Waits until the plan is stored as it should be. */
export async function isStored<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + 15_000
  for (;;) {
    const found = await read()
    try {
      return assert.deepEqual(found, expected)
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}
