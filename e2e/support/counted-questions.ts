import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { childrenOf } from './child-processes.ts'

export type Questions = Readonly<Record<string, number>>

/** Counts what the workers of a site ask their primary process. */
export interface CountedQuestions {
  /** Variables with which the site is to be started. */
  readonly environment: Record<string, string>
  /** Counts of the questions of all workers of this primary process since the last look, by name. */
  take(primary: number): Promise<Questions>
  remove(): void
}

export const countQuestions = (): CountedQuestions => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-questions-'))
  const preload = pathToFileURL(join(import.meta.dirname, 'count-questions.mjs')).href
  const ofWorker = async (worker: number): Promise<Questions> => {
    const file = join(folder, String(worker))
    process.kill(worker, 'SIGUSR2')
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5))
    const counts = JSON.parse(readFileSync(file, 'utf8')) as Questions
    rmSync(file)
    return counts
  }
  return {
    environment: { COUNTED_QUESTIONS: folder, NODE_OPTIONS: `--import ${preload}` },
    async take(primary) {
      const sum: Record<string, number> = {}
      for (const counts of await Promise.all(childrenOf(primary).map(ofWorker)))
        for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
      return sum
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
