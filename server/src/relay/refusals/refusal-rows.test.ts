import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '../../lib/app-error.ts'
import type { CallFacts } from '../call.ts'
import { failureOf } from '../failure.ts'
import type { Caller, RequestRecord } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { recordFailure } from '../records/record-failure.ts'
import { openRefusalRows, type RefusalRows } from './refusal-rows.ts'

const failure = failureOf(new AppError('model_not_found', { params: { model: 'x' } }))
let ids = 0
let open: RefusalRows[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const rows of open) await rows.close()
  open = []
})

const factsOf = ({ userId = 1, tokenId = 1, ip = '192.0.2.1' }): CallFacts => {
  ids += 1
  const caller: Caller = {
    userId,
    tokenId,
    username: `user${userId}`,
    tokenName: `key${tokenId}`,
    role: 1,
    group: 'default',
    userGroup: 'default',
    acceptsUnpricedModels: false,
    tokenUnlimited: true,
    modelLimits: undefined,
    forcedChannel: undefined,
  }
  return { id: `call-${ids}`, startedAt: 0, caller, ip, path: '/v1/chat/completions', model: 'x', stream: false }
}

const openRows = () => {
  const records: RequestRecord[] = []
  const recorder = {
    begin: () => undefined,
    progress: () => undefined,
    fail: async (record: RequestRecord) => {
      records.push(record)
    },
  }
  const parts = { recorder, clock: () => 1000, log: () => undefined }
  const refusalRows = openRefusalRows({ ...parts, windowMs: 60_000, mostOfKey: 5, mostOfAddress: 12 })
  open.push(refusalRows)
  const refuse = (facts: CallFacts, attemptLog = createAttemptLog()) =>
    recordFailure(facts, failure, { attemptLog }, { ...parts, refusalRows })
  const calls = () => records.reduce((sum, { times = 1 }) => sum + times, 0)
  return { records, refusalRows, refuse, calls }
}

it('gives the first refused calls of a key a row each and all others one together, which says how many they are', async () => {
  const { records, refusalRows, refuse, calls } = openRows()
  for (let call = 0; call < 1000; call += 1) await refuse(factsOf({}))
  expect(records).toHaveLength(5)
  await refusalRows.close()
  expect(records).toHaveLength(6)
  expect(calls()).toBe(1000)
  expect(records.at(-1)).toMatchObject({ kind: 'error', quota: 0, times: 995, other: { repeated: 995 }, userId: 1 })
})

it('bounds an address with many keys, by its users', async () => {
  const { records, refusalRows, refuse, calls } = openRows()
  for (let call = 0; call < 300; call += 1) await refuse(factsOf({ userId: 1 + (call % 2), tokenId: 1 + (call % 100) }))
  expect(records).toHaveLength(12)
  await refusalRows.close()
  expect(records).toHaveLength(14)
  expect(calls()).toBe(300)
})

it('begins anew with every window, and writes what was counted then', async () => {
  vi.useFakeTimers()
  const { records, refuse, calls } = openRows()
  for (let call = 0; call < 10; call += 1) await refuse(factsOf({}))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(records).toHaveLength(6)
  await refuse(factsOf({}))
  expect(records).toHaveLength(7)
  expect(calls()).toBe(11)
})

it('leaves calls alone that an upstream was asked about', async () => {
  const { records, refuse } = openRows()
  const attempt = { channel: 1, started_ms: 0, duration_ms: 1, status: 500, error: 'no' }
  for (let call = 0; call < 30; call += 1) await refuse(factsOf({}), { ...createAttemptLog(), attempts: [attempt] })
  expect(records).toHaveLength(30)
})
