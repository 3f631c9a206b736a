import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const first = 'journal'
const others = /^journal-(\d{1,3})$/

/** Where a worker keeps its journal; the first one where a node of one process does. */
export const journalDirectory = (dataDir: string, worker: number): string =>
  join(dataDir, worker === 1 ? first : `${first}-${worker}`)

/** Directories of workers with a number above `workers`, which no process writes to any more. */
export const abandonedJournals = async (dataDir: string, workers: number): Promise<readonly string[]> => {
  const names = await readdir(dataDir).catch(() => [])
  return names.flatMap((name) => {
    const number = Number(others.exec(name)?.[1] ?? 0)
    return number > workers ? [join(dataDir, name)] : []
  })
}
