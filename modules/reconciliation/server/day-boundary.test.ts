import { expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { day, firstDay, type LoggedCall, openTestReconciliation } from '../tests/compared-site.ts'

const columns = { day: 'date', model: 'model', calls: 'requests', input: 'prompt', output: 'completion', cost: 'cost' }
const source = { kind: 'csv', settings: { columns } }
const hour = 3_600

/** Every call has tokens of its own. */
const prompts = [1_001, 1_002, 1_004, 1_008, 1_016, 1_032]
/** Two at noon and one at 20:00 of each day (UTC): the last one is of the next day in China. */
const ourCalls = prompts.map((input, index): LoggedCall => {
  const time = index % 3 === 2 ? 20 * hour : 12 * hour + index
  return { model: 'gpt-4o', usage: { input, output: 10 }, at: firstDay + Math.floor(index / 3) * day + time }
})

/** The report of those calls, by the days of a time zone. */
const reportIn = (offset: number, calls: readonly LoggedCall[] = ourCalls): string => {
  const days = new Map<string, { calls: number; input: number }>()
  for (const { at, usage } of calls) {
    const date = new Date((at + offset * hour) * 1000).toISOString().slice(0, 10)
    const sum = days.get(date) ?? { calls: 0, input: 0 }
    days.set(date, { calls: sum.calls + 1, input: sum.input + (usage.input ?? 0) })
  }
  const rows = [...days].map(([date, { calls: count, input }]) => {
    const cost = (input * 2.5 + count * 10 * 10) / 1e6
    return [date, 'gpt-4o', count, input, count * 10, cost].join(',')
  })
  return ['date,model,requests,prompt,completion,cost', ...rows].join('\n')
}

describeEachEngine('the days of a report', (open) => {
  const imported = async (text: string, more: { utc_offset?: number } = {}) => {
    const desk = await openTestReconciliation(await open())
    await desk.log(...ourCalls)
    const { id } = await desk.addSource(source)
    return desk.import(id, { file: { name: 'days.csv', text }, ...more })
  }
  const named = ({ days }: Awaited<ReturnType<typeof imported>>) => days.map(({ causes }) => causes)

  it('that are those of UTC have no cause', async () => {
    expect(named(await imported(reportIn(0)))).toEqual([[], []])
  })

  it('in another time zone are named, with the calls of the day before or after', async () => {
    const result = await imported(reportIn(8))
    expect(named(result)).toMatchObject([
      [{ cause: 'day_boundary', calls: 1, hours: expect.any(Number) }],
      [{ cause: 'day_boundary' }],
      [{ cause: 'day_boundary', calls: 1 }],
    ])
    const amounts = result.days.flatMap(({ causes }) => causes).reduce((sum, { amount }) => sum + Number(amount), 0)
    expect(amounts).toBeCloseTo(Number(result.difference), 5)
  })

  it('agree once their time zone is chosen', async () => {
    const result = await imported(reportIn(8), { utc_offset: 8 })
    expect(result.utc_offset).toBe(8)
    expect(result.causes).toEqual([])
    expect(Number(result.difference)).toBeCloseTo(0, 5)
  })

  it('that lack calls for good are no matter of time zones', async () => {
    const result = await imported(reportIn(0, ourCalls.slice(0, -1)))
    expect(result.causes.map(({ cause }) => cause)).toEqual(['missing_there'])
  })
})
