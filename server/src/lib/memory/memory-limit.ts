import { totalmem } from 'node:os'

/** The variable by which a supervising process tells each of its workers, and their threads, how many bytes it may use. */
export const shareVariable = 'TOLLGATE_MEMORY_SHARE'

/** Bytes that this process may use: the machine's memory, or less in a container, or its share of that. */
export const memoryLimit = (): number => {
  // 0 or a number beyond all machines: no limit.
  const all = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
  const share = Number(process.env[shareVariable])
  return share > 0 ? Math.min(share, all) : all
}

/** Bytes from which on a process may cache. */
const enoughMemory = 768 * 1024 * 1024

export const hasLittleMemory = (): boolean => memoryLimit() < enoughMemory

/** Bytes of a process that supervises workers without serving calls. */
const supervisorBytes = 64 * 1024 * 1024

/** Bytes that each of several workers may use where all of them may use `limit`. */
export const workerShare = (limit: number, workers: number): number =>
  Math.floor((limit - Math.min(supervisorBytes, limit / 4)) / workers)

/** Bytes below which a process may end for lack of memory when many call it. */
export const leastShare = 192 * 1024 * 1024
