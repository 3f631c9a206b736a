import { beforeEach, expect, it } from 'vitest'
import { createQuotaWatch, type QuotaWatch } from './quota-watch.ts'

let queries: number[][]
let warned: [number, number][]
let failures: unknown[]
let now: number
let own: Map<number, number>
let broken: boolean
let watch: QuotaWatch

beforeEach(() => {
  queries = []
  warned = []
  failures = []
  now = 1_000_000
  own = new Map()
  broken = false
  watch = createQuotaWatch({
    thresholds: async (ids) => {
      queries.push([...ids])
      if (broken) throw new Error('the database is away')
      return own
    },
    fallback: () => 100,
    warn: async (id, balance) => {
      if (broken) throw new Error('the database is away')
      warned.push([id, balance])
    },
    failed: (error) => failures.push(error),
    clock: () => now,
  })
})

const charged = async (...balances: [number, number][]): Promise<void> => {
  watch.charged(balances.map(([id, balance]) => ({ id, balance })))
  await watch.idle()
}

it('asks for thresholds once, for all of a batch together', async () => {
  await charged([1, 500], [2, 500], [3, 500])
  await charged([1, 400], [2, 400], [3, 400])
  expect(queries).toEqual([[1, 2, 3]])
  expect(warned).toEqual([])
})

it('queries nothing and warns no user while all have enough quota', async () => {
  await charged([1, 500])
  for (let balance = 499; balance >= 100; balance -= 1) watch.charged([{ id: 1, balance }])
  await watch.idle()
  expect(queries).toHaveLength(1)
  expect(warned).toEqual([])
})

it('does not query the database again and again for a user below the threshold', async () => {
  for (let balance = 99; balance > 0; balance -= 1) await charged([1, balance])
  expect(warned).toEqual([[1, 99]])
})

it('waits with reading while it reads, and then takes the latest balance', async () => {
  watch.charged([{ id: 1, balance: 500 }])
  watch.charged([{ id: 2, balance: 90 }])
  watch.charged([{ id: 2, balance: 80 }])
  await watch.idle()
  expect(queries).toEqual([[1], [2]])
  expect(warned).toEqual([[2, 80]])
})

it('reads again what is old or was forgotten', async () => {
  await charged([1, 500])
  own.set(1, 1000)
  await charged([1, 500])
  expect(warned).toEqual([])
  watch.forget(1)
  await charged([1, 499])
  expect(warned).toEqual([[1, 499]])
  own.set(1, 5)
  now += 600_000
  await charged([1, 400])
  expect(warned).toHaveLength(1)
})

it('tries again after a failure', async () => {
  broken = true
  await charged([1, 5])
  broken = false
  await charged([1, 4])
  broken = true
  watch.forget()
  await charged([2, 4])
  expect(failures).toHaveLength(2)
  expect(warned).toEqual([[1, 4]])
})
