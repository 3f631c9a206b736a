import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeDisk } from './disk.ts'
import { lockDirectory } from './lock.ts'
import { newSegment, segmentNumber } from './segments.ts'

const first = 'journal'
const others = /^journal-(\d{1,3})$/

/** Directory of a worker's journal; the first worker uses that of a node of one process. */
export const journalDirectory = (dataDir: string, worker: number): string =>
  join(dataDir, worker === 1 ? first : `${first}-${worker}`)

/** Directories of workers with a number above `workers`, which no process writes to any more. */
const abandonedJournals = async (dataDir: string, workers: number): Promise<readonly string[]> => {
  const names = await readdir(dataDir).catch(() => [])
  return names.flatMap((name) => {
    const number = Number(others.exec(name)?.[1] ?? 0)
    return number > workers ? [join(dataDir, name)] : []
  })
}

/** Numbers of the segments in a directory, oldest first. */
const numbersIn = async (directory: string): Promise<readonly number[]> =>
  (await readdir(directory)).flatMap((name) => segmentNumber(name) ?? []).sort((left, right) => left - right)

/**
 * Moves the segments of removed workers (WORKERS was larger) into the journal of the first worker, before that is opened: its replay
 * then applies them. Segments of one worker keep their order; requests of two workers need none. A crash in between leaves each segment
 * in exactly one place.
 */
export const adoptJournals = async (parts: {
  readonly dataDir: string
  readonly workers: number
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}): Promise<void> => {
  const { dataDir, workers, warn } = parts
  const abandoned = await abandonedJournals(dataDir, workers)
  if (abandoned.length === 0) return
  const own = journalDirectory(dataDir, 1)
  await mkdir(own, { recursive: true })
  const unlockOwn = lockDirectory(own)
  try {
    let next = ((await numbersIn(own)).at(-1) ?? 0) + 1
    for (const directory of abandoned) {
      const unlock = lockDirectory(directory)
      const numbers = await numbersIn(directory)
      for (const number of numbers) {
        await rename(newSegment(directory, number).path, newSegment(own, next).path)
        next += 1
      }
      await nodeDisk.syncDirectory(own)
      unlock()
      // Files that were put aside as damaged stay for the operator.
      if ((await readdir(directory)).length === 0) await rm(directory, { recursive: true })
      if (numbers.length > 0) warn('journal_adopted', { from: join(directory), segments: numbers.length })
    }
  } finally {
    unlockOwn()
  }
}
