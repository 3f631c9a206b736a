import { defaultTierRatios } from '@tollgate/contract/prices'
import { describe, expect, it } from 'vitest'
import { openShippedBook } from '#server/billing/book/shipped-book.ts'
import { cost } from '#server/billing/cost.ts'
import { noUsage } from '#server/billing/usage.ts'
import { bookWith } from '#server-test/support/billing/price.ts'
import { seeded } from '#server-test/support/ledger/chance.ts'
import { openQueue } from '../../tests/moment-queue.ts'
import { chooseLane, type Lane } from './choose-lane.ts'
import { openFinishTimes } from './finish-times.ts'
import { keepHalfHours } from './half-hour-prices.ts'
import { priceAt } from './lane-prices.ts'
import { askedAgainAt, type LaneTimes, situationOf, type TimedJob } from './situation.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const november = Date.UTC(2026, 10, 1)
const jobCount = 100_000

/** Models, the share of the jobs that name them, and what their providers offer. */
const models = [
  { model: 'gpt-5.4', share: 0.4, lanes: ['flex', 'batch'] },
  { model: 'gemini-2.5-flash', share: 0.25, lanes: ['flex', 'batch'] },
  { model: 'claude-sonnet-4-5', share: 0.25, lanes: ['batch'] },
  { model: 'deepseek-v4-pro', share: 0.1, lanes: ['off_peak'] },
] as const

/** Hours until deadlines, and their share of the jobs. */
const windows = [
  { ms: 10 * minute, share: 0.05 },
  { ms: hour, share: 0.15 },
  { ms: 6 * hour, share: 0.35 },
  { ms: day, share: 0.45 },
] as const

const known = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the month has no such thing')
  return value
}

const drawn = <T extends { readonly share: number }>(list: readonly T[], random: () => number): T => {
  let left = random()
  const found = list.find(({ share }) => {
    left -= share
    return left < 0
  })
  return known(found ?? list.at(-1))
}

/** A time of a log-normal distribution by its median. */
const spread = (median: number, sigma: number, random: () => number): number =>
  median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))

/**
 * Providers as they were seen in November 2026: batches take about an hour, and at worst a day; flex takes minutes, refuses in busy hours,
 * and hangs at times; calls fail now and then. On the 9th batches are eight times as slow, on the 16th flex refuses everything, and on
 * four days most synchronous calls fail for half an hour.
 */
const openProviders = (random: () => number) => {
  const dayOf = (at: number): number => Math.floor((at - november) / day) + 1
  const isOut = (at: number): boolean =>
    [4, 12, 20, 27].includes(dayOf(at)) && at % day < 14.5 * hour && at % day > 14 * hour
  const isBusy = (at: number): boolean => at % day > 13 * hour && at % day < 20 * hour
  return {
    /** Milliseconds until the answer; undefined for a failure. */
    standard: (at: number): number | undefined =>
      random() < (isOut(at) ? 0.7 : 0.004) ? undefined : Math.min(spread(8 * second, 0.8, random), 2 * minute),
    flex(at: number): number | undefined {
      if (dayOf(at) === 16 || random() < (isBusy(at) ? 0.5 : 0.08)) return undefined
      return random() < 0.01 ? Number.POSITIVE_INFINITY : spread(45 * second, 1, random)
    },
    batch(at: number): number {
      if (random() < 0.01) return Number.POSITIVE_INFINITY
      return Math.min(spread(50 * minute, 0.9, random) * (dayOf(at) === 9 ? 8 : 1), day)
    },
  }
}

interface Running {
  readonly job: TimedJob
  readonly refusals: number
  readonly failures: number
}

/** Runs the month with some of the lanes; the same seed gives the same month. */
const month = async (offered: ReadonlySet<Lane>, seed: number) => {
  const random = seeded(seed)
  const providers = openProviders(random)
  const book = bookWith({ modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
  const prices = keepHalfHours(book, () => 1)
  const times = new Map(
    models.map(({ model }) => [
      model as string,
      {
        standard: openFinishTimes({ usualMs: 15 * second, longMs: 2 * minute }),
        flex: openFinishTimes({ usualMs: 2 * minute, longMs: 15 * minute }),
        batch: openFinishTimes({ usualMs: 2 * hour, longMs: day }),
      },
    ]),
  )
  const queue = openQueue<(now: number) => void>()
  const usage = { ...noUsage, input: 12_000, output: 3_000 }
  let [paid, usual, inTime, late] = [0, 0, 0, 0]
  const taken: Record<Lane, number> = { batch: 0, flex: 0, off_peak: 0, standard: 0 }
  const end = ({ job }: Running, lane: Lane, at: number, price: number): void => {
    taken[lane] += 1
    paid += price
    usual += cost(usage, job.standard)
    if (at <= job.deadline) inTime += 1
    else late += 1
  }

  const later = (at: number, running: Running): void => queue.add(at, (now) => step(now, running))

  const ask = (now: number, running: Running, seen: LaneTimes): void => {
    const { job, failures } = running
    const took = providers.standard(now)
    if (took === undefined) {
      later(now + 2 * second + Math.min(5 * failures, 60) * second, { ...running, failures: failures + 1 })
      return
    }
    const price = cost(usage, known(priceAt(prices, job, now)))
    queue.add(now + took, (at) => {
      seen.standard.note(took)
      end(running, price < cost(usage, job.standard) ? 'off_peak' : 'standard', at, price)
    })
  }

  const step = (now: number, running: Running): void => {
    const { job, refusals } = running
    const seen = known(times.get(job.model))
    const { lane, startAt, giveUpAt } = chooseLane(situationOf(job, now, seen, prices))
    if (startAt > now) {
      later(startAt, running)
      return
    }
    if (lane === 'standard' || lane === 'off_peak') {
      ask(now, running, seen)
      return
    }
    const took = lane === 'flex' ? providers.flex(now) : providers.batch(now)
    if (took === undefined) {
      const again = askedAgainAt(now, refusals + 1)
      const open = new Map(job.open).set('flex', again)
      later(Math.min(again, giveUpAt), { ...running, refusals: refusals + 1, job: { ...job, open } })
      return
    }
    const isLate = now + took > giveUpAt
    queue.add(isLate ? giveUpAt : now + took, (at) => {
      seen[lane].note(isLate ? Number.POSITIVE_INFINITY : took)
      if (isLate) step(at, running)
      else end(running, lane, at, cost({ ...usage, tier: lane }, job.standard))
    })
  }

  for (let number = 0; number < jobCount; number += 1) {
    const { model, lanes } = drawn(models, random)
    const arrivedAt = november + Math.floor(random() * 29 * day)
    const priced = { model, group: 'default', acceptsUnpriced: true }
    const standard = known(priceAt(prices, priced, arrivedAt))
    const open = new Map(lanes.flatMap((lane) => (offered.has(lane) ? [[lane, arrivedAt] as const] : [])))
    const job = { ...priced, arrivedAt, deadline: arrivedAt + drawn(windows, random).ms, standard, open }
    later(arrivedAt, { job, refusals: 0, failures: 0 })
  }
  for (let next = queue.take(); next !== undefined; next = queue.take()) next.entry(next.at)
  return { jobs: inTime + late, inTime: inTime / jobCount, price: paid / usual, taken }
}

describe('a month of a hundred thousand jobs', () => {
  it('is in time at three fifths of the standard price, with providers that are late or fail', async () => {
    const { jobs, inTime, price, taken } = await month(new Set<Lane>(['batch', 'flex', 'off_peak']), 20_261_101)
    expect(jobs).toBe(jobCount)
    expect(inTime).toBeGreaterThanOrEqual(0.999)
    expect(price).toBeLessThanOrEqual(0.6)
    for (const lane of ['batch', 'flex', 'off_peak', 'standard'] as const) expect(taken[lane]).toBeGreaterThan(1000)
  })

  it('is in time without batches of providers', async () => {
    const { inTime, price } = await month(new Set<Lane>(['flex', 'off_peak']), 20_261_102)
    expect(inTime).toBeGreaterThanOrEqual(0.999)
    expect(price).toBeLessThan(0.75)
  })
})
