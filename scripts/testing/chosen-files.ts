import { readFileSync } from 'node:fs'

/**
 * Files of tests below `folder` that this run of vitest is for, as paths from that folder; undefined where the run is for all.
 * `TEST_FILES` names a file with one path from the repository's root in each line: patterns of the command line also match
 * files whose paths only end like theirs.
 */
export const chosenFiles = (folder: string): string[] | undefined => {
  const list = process.env.TEST_FILES
  if (list === undefined) return undefined
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1))
}
