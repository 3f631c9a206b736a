import type { PressureParts } from './memory-pressure.ts'

const lookMs = 200
/** The share of the limit from which on garbage is collected before V8 thinks it time. */
const fullShare = 0.8

/**
 * V8 bounds a heap by itself, not by what threads and buffers take beside it: 64 long streams left 40 MB of garbage in a container
 * of 256 MB that had 40 left. Call what comes back to end it.
 */
export const watchMemory = ({
  limit,
  used,
  collect,
}: Pick<PressureParts, 'limit' | 'used' | 'collect'>): (() => void) => {
  const look = setInterval(() => {
    if (used() > limit * fullShare) collect()
  }, lookMs).unref()
  return () => clearInterval(look)
}
