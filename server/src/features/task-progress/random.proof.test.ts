import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { createTestUser, openBench, type TestNode, taskRecord } from '../../../test/support/features/task-bench.ts'
import { seeded, unreliable } from '../../../test/support/ledger/chance.ts'
import { verifyLedger } from '../../ledger/verify/verify.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { openOpenTasks } from './open-tasks.ts'

const fates = ['SUCCESS', 'FAILURE', 'SUBMITTED', 'REFUSED'] as const

describeEachEngine('whatever happens to tasks', (open) => {
  it.each([1, 2])(
    'what was paid for them is what was charged less what failed (seed %i)',
    async (seed) => {
      const database = await open()
      const random = seeded(seed)
      const bench = await openBench(database)
      const nodes: TestNode[] = []
      for (let count = 0; count < 3; count += 1)
        nodes.push(await bench.node({ database: unreliable(database, random, 0.08) }))
      const reliable = await bench.node()
      const people = await Promise.all([1, 2, 3].map(() => createTestUser(database, reliable.ledger)))
      await bench.channel(1)
      const begun: { record: RequestRecord; fate: (typeof fates)[number] }[] = []

      const begin = async (node: TestNode): Promise<void> => {
        const user = people[Math.floor(random() * people.length)]
        const fate = fates[Math.floor(random() * fates.length)]
        if (user === undefined || fate === undefined) throw new Error('no user')
        const quota = fate === 'REFUSED' ? 0 : Math.floor(random() * 1000)
        const platform = random() < 0.5 ? 'midjourney' : 'suno'
        const refused = { taskId: '', status: 'FAILURE', progress: '100%' }
        const record = taskRecord(
          user,
          { platform, ...(fate === 'REFUSED' ? refused : {}) },
          {
            channelId: 1,
            quota,
            ...(fate === 'REFUSED' ? { kind: 'error', receipt: undefined } : {}),
          },
        )
        begun.push({ record, fate })
        const id = record.task?.taskId ?? ''
        bench.service.move(id, { id, task_id: id, status: fate, progress: '50%' })
        await node.ledger.recorder.charge(record)
      }

      const look = async (node: TestNode): Promise<void> => {
        for (const platform of ['midjourney', 'suno'] as const) {
          await node.refresh.refresh(platform, await openOpenTasks(database).page(platform, 0, 500))
        }
      }

      for (let round = 0; round < 12; round += 1) {
        await Promise.all(nodes.flatMap((node) => [begin(node), begin(node), look(node), look(node), begin(node)]))
      }
      for (const node of nodes) await node.ledger.flush()
      await look(reliable)
      await look(reliable)

      const kept = begun.filter(({ fate }) => fate === 'SUCCESS' || fate === 'SUBMITTED')
      const expected = (of: typeof begun): number => of.reduce((sum, { record }) => sum + record.quota, 0)
      for (const { userId, tokenId } of people) {
        const own = expected(kept.filter(({ record }) => record.userId === userId))
        const user = database.query.selectFrom('users').select(['quota', 'used_quota']).where('id', '=', userId)
        expect(await user.executeTakeFirst()).toEqual({ quota: 1_000_000 - own, used_quota: own })
        const token = database.query
          .selectFrom('tokens')
          .select(['remain_quota', 'used_quota'])
          .where('id', '=', tokenId)
        expect(await token.executeTakeFirst()).toEqual({ remain_quota: 500_000 - own, used_quota: own })
      }
      const channel = database.query.selectFrom('channels').select('used_quota').where('id', '=', 1)
      expect((await channel.executeTakeFirst())?.used_quota).toBe(expected(kept))
      const failed = begun.filter(({ fate, record }) => fate === 'FAILURE' && record.quota > 0)
      const logs = await database.query.selectFrom('logs').select('quota').where('type', '=', 4).execute()
      expect([logs.length, logs.reduce((sum, { quota }) => sum + quota, 0)]).toEqual([failed.length, expected(failed)])
      const rows = await sql<{ rows: number }>`select
      (select count(*) from midjourneys) + (select count(*) from tasks) as ${sql.ref('rows')}`.execute(database.query)
      expect(Number(rows.rows[0]?.rows)).toBe(begun.length)
      expect((await verifyLedger(database)).differences).toEqual([])
      await bench.close()
    },
    120_000,
  )
})
