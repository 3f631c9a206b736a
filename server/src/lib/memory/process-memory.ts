import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onFirstUse } from '../on-first-use.ts'
import { type AnswerMemory, openAnswerMemory } from './answer-memory.ts'
import { hasLittleMemory, memoryLimit } from './memory-limit.ts'
import { openMemoryPressure, watchMemory } from './memory-pressure.ts'
import { openReservedMemory, type ReservedMemory } from './reserved-memory.ts'
import { usedMemory } from './used-memory.ts'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const collector = onFirstUse((): Collect => {
  // Node shows it only to processes that were started with the flag; a context made after it was set has it, too.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
})

/** Collects all garbage and gives its memory back to the system: a pause of 40–80 ms. */
export const collectGarbage = (): void => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Has a thread that handles large texts give back what one has left: V8 bounds the heap of each thread by itself, not all of them by
 * what the process has. Does nothing where there is enough memory.
 */
export const collectOfThread = onFirstUse(() => (hasLittleMemory() ? collectGarbage : () => {}))

/** The memory of this process that calls share. */
export interface ProcessMemory {
  readonly answerMemory: AnswerMemory
  /** For what requests hold until they end. */
  readonly keptMemory: ReservedMemory
  close(): void
}

/** Measures the memory of this process, and watches it where there is little. */
export const openProcessMemory = (): ProcessMemory => {
  const limit = memoryLimit()
  const now = (): number => performance.now()
  const measured = { limit, used: usedMemory, collect: collectGarbage, now }
  const unwatched = hasLittleMemory() ? watchMemory(measured) : undefined
  // One answer is always on its way, and leaves more garbage than any body.
  const pressureOfAnswers = openMemoryPressure({ ...measured, usableShare: 0.75, collectEveryMs: 500 })
  return {
    answerMemory: openAnswerMemory({ memoryBytes: limit, pressure: pressureOfAnswers, now }),
    keptMemory: openReservedMemory(limit, openMemoryPressure(measured)),
    close: () => unwatched?.(),
  }
}
