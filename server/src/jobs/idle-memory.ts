import { performance } from 'node:perf_hooks'
import { collectGarbage } from '../lib/memory/collect-garbage.ts'

/** How often it is looked whether the process is idle. */
const lookEveryMs = 15_000
/** The share of the time that the event loop worked, below which nobody waits for it. */
const idleShare = 0.02
/** Least allocation since the last collection; less is not worth the pause of 40–80 ms. */
const worthBytes = 24 * 1024 * 1024

/**
 * Gives memory back to the system after the start and after each load, once the process is idle: V8 keeps the young
 * generation as large as it became, about 90 MB. `everyMs` is how often it looks, in milliseconds. Returns the function that stops it.
 */
export const collectWhenIdle = ({ everyMs = lookEveryMs }: { everyMs?: number } = {}): (() => void) => {
  let loop = performance.eventLoopUtilization()
  let heapAfter = 0
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, loop)
    loop = now
    if (utilization > idleShare || process.memoryUsage().heapTotal - heapAfter < worthBytes) return
    collectGarbage()
    heapAfter = process.memoryUsage().heapTotal
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
