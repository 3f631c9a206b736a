import { expect, it } from 'vitest'
import { zero } from '#server/billing/decimal.ts'
import { noUsage } from '#server/billing/usage.ts'
import type { OwnCall } from './own-calls.ts'
import { openSample } from './sample-calls.ts'

const call = (id: string, failed = false): OwnCall => ({
  requestId: `ours-${id}`,
  providerIds: id === '' ? [] : [id],
  at: 1,
  beganAt: 0,
  failed,
  model: 'gpt-4o',
  upstreamModel: 'gpt-4o',
  usage: { ...noUsage, calls: 1 },
  above: 0,
  cost: zero,
  detailed: true,
})

const sampleOf = (count: number, most: number) => {
  const sample = openSample((id) => id.startsWith('gen-'), most)
  for (let at = 0; at < count; at += 7) {
    sample.look(Array.from({ length: Math.min(7, count - at) }, (_, index) => call(`gen-${at + index}`)))
  }
  const { calls, named } = sample.end()
  return { named, numbers: calls.map(({ providerIds }) => Number(providerIds[0]?.slice(4))) }
}

it('takes every call where they are few', () => {
  expect(sampleOf(5, 5)).toEqual({ named: 5, numbers: [0, 1, 2, 3, 4] })
})

it('goes in even steps through the whole period where they are many', () => {
  const { named, numbers } = sampleOf(1_000, 100)
  expect(named).toBe(1_000)
  expect(numbers).toEqual(Array.from({ length: 63 }, (_, index) => index * 16))
})

it('counts charged calls that the provider cannot be asked about', () => {
  const sample = openSample((id) => id.startsWith('gen-'))
  sample.look([call('gen-1'), call('chatcmpl-1'), call(''), call('', true)])
  expect(sample.end()).toMatchObject({ named: 1, unnamed: 2 })
})
