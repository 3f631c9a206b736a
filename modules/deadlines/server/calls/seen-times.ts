import { createBoundedCache } from '#server/lib/caches/bounded-cache.ts'
import { type AssumedTimes, type LearnedTimes, openFinishTimes } from '../decision/finish-times.ts'
import type { LaneTimes } from '../decision/situation.ts'

const minute = 60_000

/** Times that are assumed of a model that was not called yet with a deadline. */
const assumed: Readonly<Record<keyof LaneTimes, AssumedTimes>> = {
  standard: { usualMs: minute / 4, longMs: 2 * minute },
  // developers.openai.com/api/docs/guides/flex-processing asks clients to wait for 15 minutes.
  flex: { usualMs: 2 * minute, longMs: 15 * minute },
  // Batches of providers have a window of 24 hours.
  batch: { usualMs: 120 * minute, longMs: 24 * 60 * minute },
}

const mostModels = 500

/** Times of the lanes of each model, as this process has seen them. Callers name models, so only the latest are kept. */
export const openSeenTimes = (): ((model: string) => LaneTimes) => {
  const times = createBoundedCache<string, LaneTimes>({ entries: mostModels })
  const open = (lane: keyof LaneTimes): LearnedTimes => openFinishTimes(assumed[lane])
  return (model) => {
    const seen = times.get(model) ?? { standard: open('standard'), flex: open('flex'), batch: open('batch') }
    times.set(model, seen)
    return seen
  }
}
