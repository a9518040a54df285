import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Those of the test files that import, over any number of modules, what differs from the commit at which this branch left
 * `main`, and those that read texts if a text differs. All of them if anything else does, such as a migration: what
 * reads it is not known.
 */
export function changedAmong(files: string[]): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
  const changed = new Set([
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ])
  if ([...changed].some((path) => !/\.(tsx?|md)$/.test(path))) return files
  const hasTexts = [...changed].some((path) => path.endsWith('.md'))
  const known = new Map<string, Set<string>>()
  return files.filter(
    (file) =>
      !changed.isDisjointFrom(reached(file, known)) ||
      (hasTexts && readFileSync(file, 'utf8').includes('.md')),
  )
}

/** A module and all that it imports, by paths from the root. */
function reached(file: string, known: Map<string, Set<string>>): Set<string> {
  const found = new Set([file])
  // a set grows while it is read
  for (const path of found) {
    const own = known.get(path) ?? importsOf(path)
    known.set(path, own)
    for (const each of own) found.add(each)
  }
  return found
}

/** The modules of ours that one names; also those that it starts or loads later. */
function importsOf(path: string): Set<string> {
  if (!existsSync(path)) return new Set()
  const names = readFileSync(path, 'utf8').matchAll(/['"]([^'"\s]+\.tsx?)['"]/g)
  const paths = [...names].map(([, name]) => normalize(join(dirname(path), name!)))
  return new Set(paths.filter((each) => existsSync(each)))
}

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}
