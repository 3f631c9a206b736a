/** When a model ends, and what follows it. */
export interface ModelEnd {
  readonly model: string
  /** `2026-12-31`, in UTC. */
  readonly day: string
  /** Empty where nothing does. */
  readonly replacedBy: string
}

const dayMs = 86_400_000
/** Days before an end at which operators are told. */
const noticeDays = [30, 7, 1] as const

const endsAt = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/**
 * The ends of which operators are to be told now: those that came within 30, 7 or 1 days since they were looked at last, at
 * `before`, the first ones first. All within 30 days where that was never. Times in milliseconds since 1970.
 */
export const endsToTell = (ends: readonly ModelEnd[], before: number | undefined, now: number): readonly ModelEnd[] =>
  ends
    .filter(({ day }) => {
      const end = endsAt(day)
      return now < end && noticeDays.some((days) => now >= end - days * dayMs && (before ?? 0) < end - days * dayMs)
    })
    .toSorted((left, right) => left.day.localeCompare(right.day) || left.model.localeCompare(right.model))
