import type { ChosenLane, DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Batch } from '../forms/batch-form.ts'
import { timedIn } from '../timed.ts'

/** The lane of a batch with a deadline, as long as a provider may have it. */
export interface ProviderLane {
  /** The lane of its lines there. */
  readonly chosen: ChosenLane
  /** True where a batch of the provider is the cheapest way that is in time, for each of its models. */
  isBest(models: readonly string[]): boolean
  /** When the provider is asked to end it, and when its lines are made without waiting for that; unix seconds. */
  dueAt(models: readonly string[]): { readonly giveUpAt: number; readonly latestAt: number }
  /** Notes the milliseconds that it took; Infinity where it was given up. */
  ended(models: readonly string[], ms: number): void
}

export interface ProviderLaneParts {
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Lines that the gateway would make at once. */
  readonly linesAtOnce: () => number
  readonly clock: Clock
}

/** The lane of a batch at its provider; undefined for batches without a deadline. */
export const providerLane = (
  { settings, form, total, succeeded, failed, skipped }: Batch,
  { deadlines, linesAtOnce, clock }: ProviderLaneParts,
): ProviderLane | undefined => {
  const timed = timedIn(settings)
  if (timed === undefined || deadlines === undefined) return undefined
  const queue = { lines: Math.max(1, total - succeeded - failed - skipped), atOnce: linesAtOnce() }
  const stepOf = (model: string) => {
    const work = { ...timed, model, mayFlex: form !== 'anthropic', mayBatch: true, queue }
    return deadlines.next(work, clock())
  }
  const earliest = (moments: readonly number[]): number => Math.floor(Math.min(...moments, timed.deadline) / 1000)
  return {
    chosen: { lane: 'batch', deadline: timed.deadline, arrivedAt: timed.arrivedAt },
    isBest: (models) => models.every((model) => stepOf(model).lane === 'batch'),
    dueAt(models) {
      const steps = models.map(stepOf)
      const latestAt = earliest(steps.map((step) => step.latestAt))
      return { latestAt, giveUpAt: earliest(steps.map((step) => step.giveUpAt ?? step.latestAt)) }
    },
    ended(models, ms) {
      for (const model of models) deadlines.batchEnded(model, ms)
    },
  }
}
