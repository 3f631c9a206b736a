import type { Module } from '../structure/modules.ts'
import { tierOf } from './tiers.ts'

/** Files that open a database, a gateway or a whole console. */
const opensParts = /^server\/src\/(db\/(engines|sqlite)\/|gateway\/gateway\.ts|app\/app\.ts|main\.ts|serve\.ts)/
/** A test or helper of tests that begins processes or threads, or listens. */
const begins = /from '(node:(child_process|worker_threads|http|https|net|cluster)|playwright-core)'/

const isTest = /\.test\.tsx?$/
const isOfTests = (path: string): boolean =>
  isTest.test(path) || /^(server\/(test|bench)|e2e|web\/src\/test)\//.test(path)

/**
 * Tests of the first tier: no proofs, and nothing of the above is reached by their imports. `modules` are read without the imports of types.
 * Rendered screens of the console are left out as well.
 */
export const pureTests = (modules: readonly Module[]): readonly string[] => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const known = new Map<string, boolean>()
  const reachesParts = (path: string): boolean => {
    const answer = known.get(path)
    if (answer !== undefined) return answer
    // A circle adds nothing: its other members answer for it.
    known.set(path, false)
    const module = byPath.get(path)
    const reaches =
      module !== undefined &&
      (opensParts.test(path) || (isOfTests(path) && begins.test(module.text)) || module.imports.some(reachesParts))
    known.set(path, reaches)
    return reaches
  }
  return modules
    .map(({ path }) => path)
    .filter((path) => isTest.test(path) && !path.endsWith('.tsx') && !/^(e2e|web\/build)\//.test(path))
    .filter((path) => tierOf(path) !== 'proof' && !reachesParts(path))
    .toSorted()
}
