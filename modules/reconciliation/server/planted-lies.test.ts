import { expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openTestUpstream } from '#server-test/support/gateway/upstream.ts'
import { day, firstDay, type LoggedCall, openTestReconciliation } from '../tests/compared-site.ts'
import { organizationApi, type ReportedDay } from '../tests/provider-report.ts'

/** $2.50, $1.25 and $10 a million tokens, as the log's prices are. */
const perToken = { input: 2.5e-6, cached: 1.25e-6, output: 10e-6 }

/** Report of an honest provider about 41 calls a day with 1,200 prompt tokens, 800 of them cached, and 300 more. */
const honestDay = (at: number, calls = 41): ReportedDay => ({
  day: at,
  model: 'gpt-4o-2024-08-06',
  calls,
  prompt: calls * 1_200,
  cached: calls * 800,
  output: calls * 300,
  cost: {
    input: calls * 400 * perToken.input,
    cached: calls * 800 * perToken.cached,
    output: calls * 300 * perToken.output,
  },
})

const ourCalls = (at: number, calls = 41): LoggedCall[] =>
  Array.from({ length: calls }, (_, index) => ({
    model: 'gpt-4o',
    upstream: 'gpt-4o-2024-08-06',
    group: index % 2 === 0 ? 'vip' : 'default',
    usage: { input: 400, cacheRead: 800, output: 300 },
    at: at + index * 1_800,
  }))

const cents = (dollars: number): number => Math.round(dollars * 100) / 100

const lies: Readonly<Record<string, (at: number) => ReportedDay>> = {
  /** Cached tokens are billed, and counted, as plain ones. */
  'ignores cache reads': (at) => {
    const honest = honestDay(at)
    return { ...honest, cached: 0, cost: { ...honest.cost, cached: 0, input: honest.prompt * perToken.input } }
  },
  'has another price': (at) => {
    const { cost, ...honest } = honestDay(at)
    return { ...honest, cost: { input: cost.input * 1.25, cached: cost.cached * 1.25, output: cost.output * 1.25 } }
  },
  'has calls that were never made': (at) => honestDay(at, 55),
  'lacks calls that were made': (at) => honestDay(at, 31),
  'rounds each line to cents': (at) => {
    const { cost, ...honest } = honestDay(at)
    return { ...honest, cost: { input: cents(cost.input), cached: cents(cost.cached), output: cents(cost.output) } }
  },
}

describeEachEngine('a report of a provider', (open) => {
  const imported = async (reported: readonly ReportedDay[]) => {
    const provider = await openTestUpstream()
    onTestFinished(() => provider.close())
    provider.answer = organizationApi(reported)
    const desk = await openTestReconciliation(await open())
    await desk.log(...ourCalls(firstDay), ...ourCalls(firstDay + day))
    const { id } = await desk.addSource({ base_url: provider.url, key: 'sk-admin-for-tests' })
    return { ...(await desk.import(id)), desk, provider }
  }

  /** The lie on the second day only; the first is true. */
  const named = async (lie: string) => {
    const tell = lies[lie]
    if (tell === undefined) throw new Error(`${lie} is no lie`)
    const result = await imported([honestDay(firstDay), tell(firstDay + day)])
    const [second, first, ...others] = result.days
    expect(others).toEqual([])
    expect(first?.causes).toEqual([])
    expect(result.status).toBe('done')
    return second
  }

  it('that is true has no cause to name', async () => {
    const { days, causes, difference, lines } = await imported([honestDay(firstDay), honestDay(firstDay + day)])
    expect(causes).toEqual([])
    expect(Number(difference)).toBeCloseTo(0, 6)
    expect(lines).toBe(8)
    expect(days).toMatchObject([
      { day: firstDay + day, model: 'gpt-4o-2024-08-06', causes: [], detailed: true },
      {
        day: firstDay,
        ours: { calls: 41, input: 16_400, cache_read: 32_800, output: 12_300, cost: '0.205' },
        theirs: { calls: 41, input: 16_400, cache_read: 32_800, output: 12_300 },
      },
    ])
  })

  it('that ignores cache reads is found: cached tokens cost as much as others', async () => {
    const second = await named('ignores cache reads')
    expect(second?.causes.map(({ cause }) => cause)).toEqual(['cache_ignored'])
    expect(Number(second?.causes[0]?.amount)).toBeCloseTo(41 * 800 * (perToken.input - perToken.cached), 6)
  })

  it('with another price for a day is found, with the factor', async () => {
    const second = await named('has another price')
    expect(second?.causes).toMatchObject([{ cause: 'price_changed', factor: '1.25' }])
    expect(Number(second?.causes[0]?.amount)).toBeCloseTo(0.205 * 0.25, 6)
  })

  it('with calls that were never made is found, with their number', async () => {
    const second = await named('has calls that were never made')
    expect(second?.causes).toMatchObject([{ cause: 'missing_here', calls: 14 }])
    expect(Number(second?.causes[0]?.amount)).toBeCloseTo(14 * 0.005, 6)
  })

  it('without calls that were made is found, with their number', async () => {
    const second = await named('lacks calls that were made')
    expect(second?.causes).toMatchObject([{ cause: 'missing_there', calls: 10 }])
    expect(Number(second?.causes[0]?.amount)).toBeCloseTo(-10 * 0.005, 6)
  })

  it('that rounds each line to cents is found', async () => {
    // $0.041, $0.041 and $0.123 become $0.04, $0.04 and $0.12.
    const second = await named('rounds each line to cents')
    expect(second?.causes).toMatchObject([{ cause: 'rounding', amount: '-0.005' }])
  })
})
