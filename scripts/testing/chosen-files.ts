import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { projectOf } from './tiers.ts'

/**
 * Files of tests of a project of vitest that this run is for, as paths from the project's folder; undefined where the run is
 * for all. `TEST_FILES` names a file with one path from the repository's root in each line: patterns of the command line also
 * match files whose paths only end like theirs.
 */
export const chosenFiles = (project: string): string[] | undefined => {
  const list = process.env.TEST_FILES
  if (list === undefined) return undefined
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((path) => projectOf(path) === project)
    .map((path) => posix.relative(project, path))
}
