import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../../lib/api/contract.ts'
import { add, decimal, isZero, printDecimal } from '../../../lib/decimal.ts'
import { hasRounding, printAmount, printUnitPrice, receiptTable } from './receipt.ts'

const items = ['input', 'cache_read', 'cache_write', 'cache_write_1h', 'audio_input', 'output', 'audio_output']

/** Decimal text with up to six decimals and the same number as a fraction of a million. */
const ratio = fc.integer({ min: 0, max: 75_000_000 }).map((millionths) => ({
  text: String(millionths / 1e6),
  millionths: BigInt(millionths),
}))
const line = fc.record({
  item: fc.constantFrom(...items),
  quantity: fc.integer({ min: 0, max: 3_000_000 }),
  price: ratio,
})

const tool = fc.record({
  tool: fc.constantFrom('web_search', 'file_search', 'free'),
  quantity: fc.integer({ min: 1, max: 5000 }),
  price: ratio,
})

/** The charge by the contract's formula: Σ quantity × price × model ratio × group ratio, rounded once, halves up. */
const charge = (sum: bigint, tools: bigint, model: bigint, tier: bigint, group: bigint): number => {
  // Both as 10^-24: a token's price, the model's, the tier's and the group's ratio have six decimals each.
  const exact = sum * model * tier * group + tools * (500_000n / 1000n) * group * 10n ** 12n
  const unit = 10n ** 24n
  return Number((exact * 2n + unit) / (unit * 2n))
}

const lists = fc.record({ lines: fc.array(line, { maxLength: 7 }), tools: fc.array(tool, { maxLength: 3 }) })

describe('a receipt taken apart', () => {
  it('adds up to exactly what was charged, whatever was used', () => {
    fc.assert(
      fc.property(lists, fc.option(ratio, { nil: undefined }), ratio, ratio, ({ lines, tools }, tier, model, group) => {
        const sumOf = (list: readonly { quantity: number; price: { millionths: bigint } }[]): bigint =>
          list.reduce((total, { quantity, price }) => total + BigInt(quantity) * price.millionths, 0n)
        const factor = tier?.millionths ?? 1_000_000n
        const quota = charge(sumOf(lines), sumOf(tools), model.millionths, factor, group.millionths)
        fc.pre(Number.isSafeInteger(quota))
        const receipt: Receipt = {
          mode: 'tokens',
          lines: lines.map(({ item, quantity, price }) => ({ item, quantity, price: price.text })),
          model_ratio: model.text,
          group_ratio: group.text,
          quota_per_unit: '500000',
          quota,
          estimated: false,
          ...(tier === undefined ? {} : { tier: { name: 'flex', ratio: tier.text } }),
          ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool, price: tool.price.text })) }),
        }
        const table = receiptTable(receipt)
        const added = table.rows.reduce((total, row) => add(total, row.amount), table.rounding)
        expect(printDecimal(added)).toBe(printDecimal(decimal(quota)))
        // Rounding to whole units never moves more than half of one.
        const double = add(table.rounding, table.rounding)
        expect(Math.abs(Number(double.digits) / 10 ** double.scale)).toBeLessThanOrEqual(1)
      }),
    )
  })

  const gpt4o: Receipt = {
    mode: 'tokens',
    lines: [
      { item: 'input', quantity: 2078, price: '1' },
      { item: 'cache_read', quantity: 1024, price: '0.5' },
      { item: 'output', quantity: 988, price: '4' },
    ],
    model_ratio: '1.25',
    group_ratio: '0.8',
    quota_per_unit: '500000',
    quota: 6542,
    estimated: false,
  }

  it('shows prices per million and amounts as the sketch does', () => {
    const table = receiptTable(gpt4o)
    expect(table.rows.map((row) => printUnitPrice(row, table, true))).toEqual(['$2.50', '$1.25', '$10.00'])
    expect(table.rows.map((row) => printAmount(row.amount, table, true))).toEqual([
      '$0.004156',
      '$0.001024',
      '$0.007904',
    ])
    expect(printAmount(table.total, table, true)).toBe('$0.013084')
    expect(hasRounding(table)).toBe(false)
  })

  it('shows quota units where the site shows no currency', () => {
    const table = receiptTable(gpt4o)
    expect(printUnitPrice(table.rows[0] ?? never(), table, false)).toBe('1,250,000')
    expect(printAmount(table.total, table, false)).toBe('6,542')
  })

  it('shows what rounding took away as a line of its own', () => {
    const table = receiptTable({
      ...gpt4o,
      lines: [{ item: 'input', quantity: 1, price: '1' }],
      group_ratio: '1',
      quota: 1,
    })
    expect(printAmount(table.rounding, table, false)).toBe('−0.25')
  })

  it('shows tools by the thousand, without those that are free, and the tier with the tokens only', () => {
    const table = receiptTable({
      ...gpt4o,
      tier: { name: 'flex', ratio: '0.5' },
      tools: [
        { tool: 'web_search', quantity: 2, price: '10' },
        { tool: 'web_fetch', quantity: 1, price: '0' },
      ],
      quota: 11_271,
    })
    const [input, , , search] = table.rows
    expect(table.rows).toHaveLength(4)
    expect(input?.factors.map((factor) => printDecimal(factor))).toEqual(['0.5', '0.8'])
    expect(search).toMatchObject({ item: 'web_search', isTool: true, quantity: 2 })
    expect(search?.factors.map((factor) => printDecimal(factor))).toEqual(['0.8'])
    expect(printUnitPrice(search ?? never(), table, true)).toBe('$10.00')
    expect(printAmount(search?.amount ?? never(), table, true)).toBe('$0.016000')
    expect(hasRounding(table)).toBe(false)
  })

  it('prices a call by its fixed price', () => {
    const table = receiptTable({
      ...gpt4o,
      mode: 'call',
      lines: [{ item: 'call', quantity: 1, price: '1' }],
      model_price: '0.04',
      group_ratio: '2',
      quota: 40_000,
    })
    expect(printUnitPrice(table.rows[0] ?? never(), table, true)).toBe('$0.04')
    expect(isZero(table.rounding)).toBe(true)
  })

  it.each([
    ['call', '1.5', '$0.06', 60_000],
    ['tokens', '562.5', '$0.002813', 2813],
  ] as const)('prices a picture by the picture (%s)', (mode, price, each, quota) => {
    const table = receiptTable({
      ...gpt4o,
      mode,
      lines: [{ item: 'image', quantity: 2, price }],
      model_ratio: '2.5',
      model_price: '0.04',
      group_ratio: '1',
      quota,
    })
    expect(printUnitPrice(table.rows[0] ?? never(), table, true)).toBe(each)
  })
})

const never = (): never => {
  throw new Error('no such line')
}

describe('measures', () => {
  it('have prices by the hour, by request and by a thousand pages', () => {
    const table = receiptTable({
      mode: 'tokens',
      basis: 'dollars',
      lines: [
        { item: 'duration', quantity: 90_000, price: '1.6666666667' },
        { item: 'request', quantity: 1, price: '5000' },
        { item: 'pages', quantity: 3, price: '1000' },
        { item: 'reasoning', quantity: 10, price: '8' },
      ],
      model_ratio: '0.5',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 79_040,
      estimated: false,
    })
    expect(table.rows.map((row) => [row.item, row.per, printUnitPrice(row, table, true)])).toEqual([
      ['duration', 'perHour', '$6.00'],
      ['request', 'perRequest', '$0.005'],
      ['pages', 'perThousandPages', '$1.00'],
      ['reasoning', undefined, '$8.00'],
    ])
  })
})

describe('other models', () => {
  it('have lines of their own, with their own prices, tier and place, that add up with the rest', () => {
    const table = receiptTable({
      mode: 'tokens',
      basis: 'dollars',
      lines: [{ item: 'input', quantity: 1000, price: '2' }],
      model_ratio: '0.5',
      group_ratio: '2',
      quota_per_unit: '500000',
      quota: 2000 + 27_500 + 100_000,
      estimated: false,
      models: [
        {
          source: 'iterations',
          model: 'claude-opus-5',
          mode: 'tokens',
          basis: 'dollars',
          lines: [{ item: 'output', quantity: 1000, price: '25' }],
          model_ratio: '0.5',
          place: { name: 'us', ratio: '1.1' },
        },
        {
          source: 'image_generation',
          model: 'draw-1',
          mode: 'call',
          lines: [{ item: 'call', quantity: 2, price: '1' }],
          model_ratio: '0',
          model_price: '0.05',
        },
      ],
    })
    expect(hasRounding(table)).toBe(false)
    expect(table.rows.map((row) => [row.model, row.item, row.per, printAmount(row.amount, table, false)])).toEqual([
      [undefined, 'input', undefined, '2,000'],
      ['claude-opus-5', 'output', undefined, '27,500'],
      ['draw-1', 'call', 'perRequest', '100,000'],
    ])
  })
})
