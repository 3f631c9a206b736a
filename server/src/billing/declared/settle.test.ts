import fc from 'fast-check'
import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { receiptOf, recompute } from '../cost.ts'
import type { Price } from '../price.ts'
import { sumOfTurns, withTurnsOf } from '../reported/usage-of-turns.ts'
import { noUsage, type Usage } from '../usage.ts'
import { type DeclaredAs, declaredKey } from './declarations.ts'
import { settledReceipt } from './settle.ts'

/** Declaring a kind later changes every receipt part that was charged provisionally for it, as if it had been known before. */

const price: Price = { ...priceOf('gpt-4o'), tiers: { priority: 2 } }

const turns = fc.array(
  fc.record({
    tier: fc.constantFrom(undefined, 'priority', 'warp', 'flex'),
    tokens: fc.integer({ min: 0, max: 5000 }),
    place: fc.constantFrom(undefined, 'mars'),
    tool: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

const usageOf = ({
  tier,
  tokens,
  place,
  tool,
}: {
  tier?: string | undefined
  tokens: number
  place?: string | undefined
  tool: boolean
}): Usage => ({
  ...noUsage,
  input: tokens,
  ...(tier === undefined ? {} : { tier }),
  ...(tool ? { tools: { psychic: 1 } } : {}),
  ...(place === undefined
    ? {}
    : {
        unknown: [
          {
            kind: 'geo' as const,
            dialect: 'anthropic' as const,
            name: `inference_geo=${place}`,
            value: place,
            count: 0,
          },
        ],
      }),
})

const declaredAs = (kind: string) =>
  kind === 'tool'
    ? fc.constantFrom<DeclaredAs>({ as: 'informative' }, { as: 'call', price: 0.001 })
    : fc.constantFrom<DeclaredAs>({ as: 'informative' }, { as: 'factor', factor: 1.05 })

it('settles all turns of a session, whatever their tiers', () => {
  fc.assert(
    fc.property(turns, declaredAs('tier'), declaredAs('geo'), declaredAs('tool'), (said, tier, geo, tool) => {
      const usage = withTurnsOf(said.map(usageOf).reduce(sumOfTurns, noUsage), 'gpt-4o')
      const receipt = receiptOf(usage, price, { estimated: false })
      const by: Readonly<Record<string, DeclaredAs>> = { tier, geo, tool }
      const declared = Object.fromEntries(
        (receipt.provisional ?? []).flatMap((reason) => {
          const as = by[reason.kind]
          return as === undefined ? [] : [[declaredKey(reason), as]]
        }),
      )
      const settled = settledReceipt(receipt, declared, price) ?? receipt
      const known = receiptOf(usage, { ...price, declared }, { estimated: false })
      expect([recompute(settled), settled.provisional]).toEqual([known.quota, known.provisional])
      expect(recompute(settled)).toBeLessThanOrEqual(receipt.quota)
    }),
    { numRuns: 500 },
  )
})
