import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aRecord } from '../../../test/support/journal/records.ts'
import type { FinishedCall } from '../../relay/ports.ts'
import { countOf } from '../speed/histogram.ts'
import { groupCalls } from './call-groups.ts'

const few = fc.integer({ min: 0, max: 2 })
const word = fc.constantFrom('a', 'ab', 'b')

const call = fc
  .record({
    userId: few,
    tokenId: few,
    channelId: few,
    username: word,
    tokenName: word,
    model: word,
    group: word,
    kind: fc.constantFrom('charge' as const, 'error' as const),
    quota: few,
    promptTokens: few,
    completionTokens: few,
    cost: fc.option(few, { nil: undefined }),
    at: fc.integer({ min: 0, max: 3 }).map((halves) => 1_800_000_000_000 + halves * 1_800_000),
  })
  .map(({ cost, ...changes }): FinishedCall => aRecord('r', { ...changes, ...(cost === undefined ? {} : { cost }) }))

const alike = ({ userId, tokenId, channelId, username, tokenName, model, group }: FinishedCall): string =>
  JSON.stringify([userId, tokenId, channelId, username, tokenName, model, group])

it('joins calls that differ only in their figures, and loses none', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const groups = groupCalls(calls)
      const expected = Map.groupBy(calls, (one) => `${Math.floor(one.at / 3_600_000)} ${alike(one)}`)
      expect(groups).toHaveLength(expected.size)
      for (const { like, hour, ...figures } of groups) {
        const all = expected.get(`${hour / 3600} ${alike(like)}`) ?? []
        const charges = all.filter(({ kind }) => kind === 'charge')
        const sum = (figure: (one: FinishedCall) => number): number =>
          charges.reduce((total, one) => total + figure(one), 0)
        expect(figures).toEqual({
          charges: charges.length,
          failures: all.length - charges.length,
          requests: sum((one) => Number(one.quota + one.promptTokens + one.completionTokens > 0)),
          quota: sum(({ quota }) => quota),
          cost: sum(({ cost = 0 }) => cost),
          costedCharges: sum(({ cost }) => Number(cost !== undefined)),
          costedQuota: sum(({ cost, quota }) => (cost === undefined ? 0 : quota)),
          promptTokens: sum(({ promptTokens }) => promptTokens),
          completionTokens: sum(({ completionTokens }) => completionTokens),
          cachedTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
          timedTokens: 0,
          timedMs: 0,
          missedTokens: 0,
          cacheSaved: 0,
          cacheLost: 0,
          lastAt: Math.max(0, ...charges.map(({ at }) => Math.floor(at / 1000))),
        })
      }
    }),
    { numRuns: 500 },
  )
})

it('times answers, and tokens of streams from their first contents on', () => {
  const measures = { totalMs: 3000, firstMs: 1000, cached: 5, cacheWrite: 6, reasoning: 7 }
  const whole = { totalMs: 3000, cached: 0, cacheWrite: 0, reasoning: 0 }
  const [group, ...more] = groupCalls([
    aRecord('stream', { measures, completionTokens: 80 }),
    aRecord('whole', { measures: whole, completionTokens: 90 }),
    aRecord('left', { measures, completionTokens: 0, aborted: true }),
    aRecord('session', { measures: { cached: 1, cacheWrite: 0, reasoning: 0 }, completionTokens: 10 }),
  ])
  expect(more).toEqual([])
  expect(group).toMatchObject({
    cachedTokens: 11,
    cacheWriteTokens: 12,
    reasoningTokens: 14,
    timedTokens: 80,
    timedMs: 2000,
  })
  expect(countOf(group?.speed?.first ?? new Map())).toBe(1)
  expect(countOf(group?.speed?.total ?? new Map())).toBe(2)
})
