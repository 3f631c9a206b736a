import { totalmem } from 'node:os'

/** Bytes that this process may use: what the machine has, or less in a container. */
export const memoryLimit = (): number =>
  // 0 or a number beyond all machines: no limit.
  Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

/** Bytes from which on a process may keep what it may need again. */
const enoughMemory = 768 * 1024 * 1024

export const hasLittleMemory = (): boolean => memoryLimit() < enoughMemory
