import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { limitedCall, openTestLimiter } from '../../../test/support/limits/limiter.ts'
import type { Database } from '../../db/database.ts'
import { openBudgetWatch } from './budget-watch.ts'
import { openChannelNames } from './channel-names.ts'
import { openStoredCounts } from './counts.ts'

const day = 86_400_000

const hour = 3_600_000

describeEachEngine('budgets', (open) => {
  let database: Database
  let now: number
  let notices: string[]

  beforeEach(async () => {
    database = await open()
    now = Date.parse('2026-11-24T12:00:00Z')
    notices = []
  })

  const rule: Parameters<typeof openTestLimiter>[0][number] = {
    name: 'monthly',
    measure: 'money',
    amount: 100,
    window: 'month',
    action: 'tell',
    tell_at: [50, 80, 100],
    subjects: [{ kind: 'user' }],
  }

  /** A process of its own, as after a restart. */
  const openNode = (node: string, changes: Partial<typeof rule> = {}) => {
    const limiter = openTestLimiter([{ ...rule, ...changes }], {
      node,
      clock: () => now,
      counts: openStoredCounts(database, node),
    })
    const watch = openBudgetWatch({
      channels: openChannelNames(
        () => [],
        () => '',
      ),
      database,
      clock: () => now,
      telling: limiter.telling,
      amountText: (quota) => `$${quota}`,
      watched: limiter.watched,
      noticeTo:
        async (target, { percent }) =>
        async () =>
          notices.push(`${target}: ${percent} %`),
      async noticeOf(userId, { percent, used, amount, usedUpAt }) {
        const until = usedUpAt === undefined ? '' : `, until ${usedUpAt.toISOString().slice(0, 10)}`
        return async () => notices.push(`${userId ?? 'root'}: ${percent} %, ${used} of ${amount}${until}`)
      },
    })
    return {
      async spend(quota: number) {
        const entry = await limiter.enter(limitedCall(), { input: 0, output: 0, money: quota })
        entry?.settle({ promptTokens: 0, completionTokens: 0, quota })
        await limiter.renew()
        await watch.look()
      },
    }
  }

  it('tell the super admin and the user once for each percentage and window, over restarts', async () => {
    const first = openNode('a')
    await first.spend(49)
    expect(notices).toEqual([])
    await first.spend(2)
    expect(notices.splice(0)).toEqual(['root: 50 %, $51 of $100', '1: 50 %, $51 of $100'])
    await first.spend(1)
    const second = openNode('b')
    await second.spend(1)
    expect(notices).toEqual([])
    await second.spend(60)
    expect(notices.splice(0)).toEqual(['root: 100 %, $113 of $100', '1: 100 %, $113 of $100'])
    now += 10 * day
    await second.spend(80)
    expect(notices.splice(0)).toEqual([
      'root: 80 %, $80 of $100, until 2026-12-05',
      '1: 80 %, $80 of $100, until 2026-12-05',
    ])
  })

  it('tell further readers the same, each once', async () => {
    const also_notify = ['a@example.com', 'https://example.com/hook']
    const [one, other] = [openNode('a', { also_notify }), openNode('b', { also_notify })]
    await one.spend(51)
    await other.spend(1)
    expect(notices.filter((text) => !/^(root|1):/.test(text))).toEqual([
      'a@example.com: 50 %',
      'https://example.com/hook: 50 %',
    ])
  })

  it('tell of a day that is used unusually fast, once, and when it is used up', async () => {
    now = Date.parse('2026-11-10T00:10:00Z')
    const daily = { window: 'day' as const, tell_at: [], tell_unusual: true }
    for (let each = 0; each < 7; each += 1) {
      // Another process each day: what is usual is in the database.
      const node = openNode(`day ${each}`, daily)
      await node.spend(9 + (each % 3))
      now += 3 * hour
      await node.spend(1)
      now += 21 * hour
    }
    expect(notices).toEqual([])
    const [one, other] = [openNode('a', daily), openNode('b', daily)]
    await other.spend(1)
    await one.spend(29)
    now += 3 * hour
    await one.spend(1)
    await other.spend(1)
    now += 3 * hour
    await one.spend(1)
    expect(notices).toEqual(['root: 0 %, $31 of $100, until 2026-11-17', '1: 0 %, $31 of $100, until 2026-11-17'])
  })
})
