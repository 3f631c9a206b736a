import type { Receipt } from '@tollgate/contract'
import { defaultTierRatios, defaultToolPrices } from '@tollgate/contract/prices'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { receiptOf, recompute } from '../../src/billing/cost.ts'
import type { Price } from '../../src/billing/price.ts'
import type { PriceBook } from '../../src/billing/prices.ts'
import { completionTokens, promptTokens } from '../../src/billing/usage.ts'
import { bookWith, listPrice } from '../support/billing/price.ts'
import { changesIn, mutated } from '../support/recorded/mutations.ts'
import { ownAnswers } from '../support/recorded/own-answers.ts'
import { payloadsOf, type Recording, recordingsOf } from '../support/recorded/recordings.ts'
import { usageReaders } from '../support/recorded/usage-readers.ts'

/** Charges recorded answers and sessions, then the same ones with one name replaced by an undeclared one. */

let book: PriceBook
beforeAll(async () => {
  book = bookWith({
    modelRatio: {},
    modelPrice: {},
    tierRatios: defaultTierRatios,
    toolPrices: defaultToolPrices,
    list: await openShippedBook(),
  })
})

const plain = listPrice({ input: 1, output: 4, cache_read: 0.1 })
const priceOf = (model: string | null): Price =>
  book.of(model ?? 'unnamed', 'default', { acceptsUnpriced: false }) ?? { ...plain, model: model ?? 'unnamed' }

const receiptsOf = (recording: Recording, payloads: readonly unknown[]): Receipt[] => {
  const usages = usageReaders[recording.format]?.(recording, payloads) ?? []
  return usages
    .filter((usage) => usage !== undefined)
    .filter((usage) => promptTokens(usage) + completionTokens(usage) > 0 || usage.unknown !== undefined)
    .map((usage) => receiptOf(usage, priceOf(recording.model), { estimated: false }))
}

/** A sequence of numbers from 0 to 1 that is the same in every run. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Members of answers that hold usage. */
const usualContainers: ReadonlySet<string> = new Set(['usage', 'usageMetadata', 'tool_usage'])
const containers: Readonly<Record<string, ReadonlySet<string>>> = {
  'gemini.predict': new Set(['statistics', 'metadata']),
  'cohere.embed': new Set(['billed_units']),
  'cohere.rerank': new Set(['billed_units', 'usage']),
}
const containersOf = ({ format }: Recording): ReadonlySet<string> => containers[format] ?? usualContainers

/** Tools and tiers that providers state and have published no price of. */
const withoutPrice: ReadonlySet<string> = new Set(['plugins.image_search.count', 'optimized'])

const leastMutations = 3000

const recordings = [...ownAnswers, ...recordingsOf(Object.keys(usageReaders))]

describe('the bill of a recorded answer', () => {
  it.each(recordings.map((recording) => [recording.id, recording] as const))('is certain: %s', (_, recording) => {
    const reasons = receiptsOf(recording, payloadsOf(recording)).flatMap(({ provisional = [] }) => provisional)
    expect(reasons.filter(({ name }) => !withoutPrice.has(name))).toEqual([])
  })

  it('is marked where one name in it is unknown', () => {
    const random = numbersFrom(20_261_129)
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    const usable = recordings
      .map((recording) => ({ recording, payloads: payloadsOf(recording) }))
      .map((each) => ({
        ...each,
        changes: each.payloads.flatMap((payload) => changesIn(payload, containersOf(each.recording))),
      }))
      .filter(({ recording, payloads, changes }) => changes.length > 0 && receiptsOf(recording, payloads).length > 0)
    const unmarked: string[] = []
    const tried: Record<string, number> = {}
    const leastOfEach = Math.ceil(leastMutations / usable.length)
    for (const { recording, payloads, changes } of usable) {
      for (let at = 0; at < leastOfEach; at += 1) {
        const change = pick(changes)
        if (change === undefined) throw new Error('no changes')
        const to = `${pick(['', 'x_', 'ultra_', '新'])}${String(change.path.at(-1))}${Math.floor(random() * 1000)}`
        const receipts = receiptsOf(recording, mutated(payloads, change, to))
        tried[recording.format] = (tried[recording.format] ?? 0) + 1
        for (const receipt of receipts) {
          expect(recompute(receipt)).toBe(receipt.quota)
          if (receipt.provisional === undefined)
            unmarked.push(`${recording.id} ${change.what} ${change.path.join('.')} → ${to}`)
        }
        if (receipts.length === 0) unmarked.push(`${recording.id} without usage: ${change.path.join('.')}`)
      }
    }
    expect(unmarked).toEqual([])
    expect(Object.values(tried).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(leastMutations)
    if (process.env.WIRE_CORPUS !== undefined) console.log(tried)
  })
})
