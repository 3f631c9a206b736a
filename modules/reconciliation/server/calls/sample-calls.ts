import type { OwnCall } from './own-calls.ts'

/** A run asks a provider about so many calls at most. */
export const mostAskedCalls = 500

export interface CallSample {
  /** Oldest first, at even steps through all that could be asked about. */
  readonly calls: readonly OwnCall[]
  /** Calls that could be asked about. */
  readonly named: number
  /** Charged calls without an id that the provider knows. */
  readonly unnamed: number
}

/**
 * Chooses calls to ask a provider about: all of them, or every second, fourth … where they are more than `most`. Takes pages of
 * the log, so that no more than `most` calls are in memory. The same log brings the same calls.
 */
export const openSample = (names: (id: string) => boolean, most = mostAskedCalls) => {
  let [calls, step]: [OwnCall[], number] = [[], 1]
  const counts = { named: 0, unnamed: 0 }
  return {
    look(page: readonly OwnCall[]): void {
      for (const call of page) {
        if (!call.providerIds.some(names)) {
          if (!call.failed) counts.unnamed += 1
          continue
        }
        if (counts.named % step === 0) calls.push(call)
        counts.named += 1
        if (calls.length <= most) continue
        calls = calls.filter((_, index) => index % 2 === 0)
        step *= 2
      }
    },
    end: (): CallSample => ({ calls, ...counts }),
  }
}
