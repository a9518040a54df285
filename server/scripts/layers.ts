import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Checks who may import whom among the folders of `model/` and of `records/`: a folder imports only folders of
 * earlier lines of its list, so that every family can be read without those that build on it. Prints each import
 * that leads up, each folder without a line, and each line without a folder.
 */
const orders: { [floor: string]: string[][] } = {
  'server/src/model': [
    [
      'activity',
      'apps',
      'attached',
      'bulk',
      'hand-over',
      'languages',
      'merging',
      'money',
      'people',
      'personal-data',
      'search',
      'statuses',
      'time',
      'timeline',
      'words',
    ],
    [
      'companies',
      'dashboards',
      'forms',
      'health',
      'interactions',
      'notifications',
      'tags',
      'templates',
    ],
    ['contacts', 'sheets'],
    ['accounts', 'imports'],
    ['users'],
    ['filters', 'organizations', 'projects'],
    ['documents', 'holidays', 'milestones', 'surveys'],
    ['calendar', 'recurrence'],
    ['tasks'],
  ],
  'server/src/records': [
    [
      'apps',
      'duplicates',
      'field-config',
      'health',
      'holidays',
      'links',
      'mail',
      'pictures',
      'search',
      'statuses',
    ],
    ['companies', 'contacts', 'hand-over', 'modules', 'uses', 'widget'],
    ['activity'],
    ['bulk', 'filters', 'merging', 'tasks', 'timeline', 'users'],
    ['calendar', 'interactions', 'notifications', 'templates'],
    ['projects'],
    ['accounts', 'documents', 'milestones'],
    ['surveys'],
    ['dashboards', 'home', 'imports', 'personal-data', 'portal', 'usage'],
    ['organizations', 'reports'],
  ],
}

const problems = Object.entries(orders).flatMap(([floor, lines]) => {
  const level = new Map(lines.flatMap((line, i) => line.map((folder) => [folder, i])))
  const files = globSync(`${floor}/*/**/*.ts`).filter((file) => !file.endsWith('.test.ts'))
  const folderOf = (file: string) => file.slice(floor.length + 1).split('/')[0] ?? ''
  const folders = new Set(files.map(folderOf))
  return [
    ...[...folders]
      .filter((name) => !level.has(name))
      .map((name) => `${floor}/${name} has no line`),
    ...[...level.keys()]
      .filter((name) => !folders.has(name))
      .map((name) => `${floor}/${name} is gone`),
    ...files.flatMap((file) =>
      importsOf(file)
        .filter((other) => other.startsWith(`${floor}/`) && folderOf(other) !== folderOf(file))
        .filter((other) => Number(level.get(folderOf(other))) >= Number(level.get(folderOf(file))))
        .map((other) => `${file} imports ${other}, which is not below it`),
    ),
  ]
})
for (const problem of problems) console.error(problem)
if (problems.length) process.exitCode = 1

/** The files that a file imports, types too, by their path from the root. */
function importsOf(file: string): string[] {
  const paths = readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'(\.[^']+\.ts)'/g)
  return [...paths].map(([, path = '']) => join(dirname(file), path))
}
