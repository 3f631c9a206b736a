import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { now, openTestLogs } from '../../../../test/support/features/logs.ts'

const day = 86_400
const noon = now - (now % day) + day / 2

describeEachEngine('a group that few people call in', (open) => {
  it('has its rows in their order, whoever called and whatever they called in other groups', async () => {
    const logs = await openTestLogs(await open(), { clock: () => noon * 1000 })
    const call = (ago: number, user: number, group: string) => ({
      created_at: noon - ago,
      user_id: user,
      group,
      model_name: 'gpt-4o',
      token_name: `${group} ${ago}`,
    })
    const rare = [60, 3 * day, 3 * day + 60, 20 * day, 45 * day, 200 * day, 700 * day]
    await logs.charge(
      ...rare.map((ago, index) => call(ago, index % 2 === 0 ? 7 : 9, 'rare')),
      ...[30, day, 10 * day, 46 * day, 300 * day].map((ago) => call(ago, 7, 'other')),
    )
    const names = async (query: Record<string, string>) => {
      const { json } = await logs.admin('GET', `/api/log/?${new URLSearchParams({ group: 'rare', ...query })}`)
      const { items } = json.data as { items: { token_name: string }[] }
      return items.map(({ token_name: name }) => name)
    }
    const ordered = rare.map((ago) => `rare ${ago}`)
    expect(await names({})).toEqual(ordered)
    expect(await names({ p: '2', page_size: '3' })).toEqual(ordered.slice(3, 6))
    expect(await names({ end_timestamp: `${noon - 2 * day}`, start_timestamp: `${noon - 46 * day}` })).toEqual(
      ordered.slice(1, 5),
    )
  })
})
