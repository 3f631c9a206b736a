import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onFirstUse } from '../on-first-use.ts'
import { hasLittleMemory } from './memory-limit.ts'

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
