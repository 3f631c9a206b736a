import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countDuration, countOf, type Histogram, mergeInto, quantile, quantileError } from './histogram.ts'

const histogramOf = (durations: readonly number[]): Histogram => {
  const histogram: Histogram = new Map()
  for (const ms of durations) countDuration(histogram, ms)
  return histogram
}

const exact = (durations: readonly number[], share: number): number => {
  const sorted = durations.toSorted((left, right) => left - right)
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? Number.NaN
}

const duration = fc.oneof(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 200, max: 20_000 }))

it('has quantiles of merged parts within its error of the exact ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(duration, { maxLength: 200 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 1),
      (parts, share) => {
        const merged: Histogram = new Map()
        for (const part of parts) mergeInto(merged, histogramOf(part))
        const all = parts.flat()
        expect(countOf(merged)).toBe(all.length)
        const found = quantile(merged, share)
        if (all.length === 0) return found === undefined
        const right = exact(all, share)
        expect(Math.abs((found ?? 0) - right) / right).toBeLessThanOrEqual(quantileError + 1e-9)
        return true
      },
    ),
    { numRuns: 500 },
  )
})

it('is the same however its parts were cut and in whatever order they were merged', () => {
  fc.assert(
    fc.property(fc.array(duration, { maxLength: 100 }), fc.nat(), (durations, cut) => {
      const at = durations.length === 0 ? 0 : cut % durations.length
      const merged: Histogram = new Map()
      mergeInto(merged, histogramOf(durations.slice(at)))
      mergeInto(merged, histogramOf(durations.slice(0, at)))
      expect(quantile(merged, 0.95)).toBe(quantile(histogramOf(durations), 0.95))
    }),
  )
})

it('takes a part away again', () => {
  const merged = histogramOf([100, 200, 9000])
  mergeInto(merged, histogramOf([9000]), -1)
  expect(countOf(merged)).toBe(2)
  expect(quantile(merged, 1)).toBe(quantile(histogramOf([200]), 1))
})

it('counts what is too short or too long at its ends', () => {
  expect(quantile(histogramOf([0]), 0.5)).toBeLessThan(1.1)
  expect(quantile(histogramOf([1e12]), 0.5)).toBeGreaterThan(4_000_000)
})
