import type { QueryClient } from '@tanstack/react-query'
import { quietForMs } from '../api/traffic.ts'

/** Reads that are slower than this are not waited for. */
const mostMs = 2000

let held: Promise<unknown> | undefined

/** Resolves at once, or when the work is done for which reads are held. */
export const readsMayBegin = (): Promise<unknown> | undefined => held

/** Holds reads that begin from now on until `work` has ended, whatever becomes of it. */
const hold = async <T>(work: () => Promise<T>): Promise<T> => {
  const working = work()
  const settled = working.catch(() => undefined)
  held = settled
  try {
    return await working
  } finally {
    if (held === settled) held = undefined
  }
}

/**
 * Runs what ends the session for good. Reads under way are dropped, as the server would refuse them, and the person would
 * be asked to sign in once more.
 */
export const endSession = (client: QueryClient, work: () => Promise<void>): Promise<void> =>
  hold(async () => {
    await client.cancelQueries()
    await work()
  })

const allAnswered = async (): Promise<void> => {
  const until = performance.now() + mostMs
  while (quietForMs() === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Runs what gives the browser another session: reads before it have been answered, others are sent with the new one. */
export const changeSession = <T>(work: () => Promise<T>): Promise<T> =>
  hold(async () => {
    await allAnswered()
    return work()
  })
