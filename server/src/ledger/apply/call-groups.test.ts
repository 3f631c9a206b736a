import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aRecord } from '../../../test/support/journal/records.ts'
import type { FinishedCall } from '../../relay/ports.ts'
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
          lastAt: Math.max(0, ...charges.map(({ at }) => Math.floor(at / 1000))),
        })
      }
    }),
    { numRuns: 500 },
  )
})
