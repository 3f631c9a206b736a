import { type AnswerMemory, openAnswerMemory } from './answer-memory.ts'
import { collectGarbage } from './collect-garbage.ts'
import { hasLittleMemory, memoryLimit } from './memory-limit.ts'
import { openMemoryPressure, watchMemory } from './memory-pressure.ts'
import { openReservedMemory, type ReservedMemory } from './reserved-memory.ts'
import { usedMemory } from './used-memory.ts'

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
