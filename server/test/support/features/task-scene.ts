import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { openOpenTasks } from '../../../src/features/task-progress/open-tasks.ts'
import { verifyLedger } from '../../../src/ledger/verify/verify.ts'
import type { RequestRecord } from '../../../src/relay/ports.ts'
import { type Bench, createTestUser, openBench, type TestNode, taskRecord } from './task-bench.ts'

type Owner = { userId: number; tokenId: number }

/** Two nodes, one channel and one user whose tasks are watched, for tests; call it once per engine. */
export const useTasks = (open: () => Promise<Database>) => {
  let channels = 100
  let database: Database
  let bench: Bench
  let node: TestNode
  let other: TestNode
  let owner: Owner

  beforeAll(async () => {
    database = await open()
    bench = await openBench(database)
    node = await bench.node()
    other = await bench.node()
  })
  afterAll(() => bench?.close())
  beforeEach(async () => {
    channels += 1
    bench.now = Date.now()
    bench.service.broken = undefined
    await database.query.deleteFrom('midjourneys').execute()
    await database.query.deleteFrom('tasks').execute()
    await bench.channel(channels)
    owner = await createTestUser(database, node.ledger)
  })

  const start = async (record: RequestRecord): Promise<RequestRecord> => {
    await node.ledger.recorder.charge(record)
    await node.ledger.flush()
    return record
  }
  const draw = (task: Parameters<typeof taskRecord>[1] = {}, more: Parameters<typeof taskRecord>[2] = {}) =>
    start(taskRecord(owner, task, { channelId: channels, quota: 5000, ...more }))
  const sing = () => draw({ platform: 'suno', action: 'MUSIC', status: 'NOT_START' })
  const idOf = ({ task }: RequestRecord): string => task?.taskId ?? ''
  const setState = (record: RequestRecord, more: Record<string, unknown>): void =>
    bench.service.move(idOf(record), { id: idOf(record), task_id: idOf(record), ...more })

  const poll = async (which: TestNode = node): Promise<void> => {
    const tasks = openOpenTasks(database)
    await which.refresh.refresh('midjourney', await tasks.page('midjourney', 0, 500))
    await which.refresh.refresh('suno', await tasks.page('suno', 0, 500))
  }
  const drawing = (record: RequestRecord) =>
    database.query.selectFrom('midjourneys').selectAll().where('request_id', '=', record.id).executeTakeFirstOrThrow()
  const song = (record: RequestRecord) =>
    database.query.selectFrom('tasks').selectAll().where('request_id', '=', record.id).executeTakeFirstOrThrow()
  const books = async () => {
    const user = await database.query
      .selectFrom('users')
      .select(['quota', 'used_quota'])
      .where('id', '=', owner.userId)
      .executeTakeFirstOrThrow()
    const token = await database.query
      .selectFrom('tokens')
      .select(['remain_quota', 'used_quota'])
      .where('id', '=', owner.tokenId)
      .executeTakeFirstOrThrow()
    const channel = await database.query
      .selectFrom('channels')
      .select('used_quota')
      .where('id', '=', channels)
      .executeTakeFirst()
    return [user.quota, user.used_quota, token.remain_quota, token.used_quota, channel?.used_quota]
  }
  const charged = [995_000, 5000, 495_000, 5000, 5000]
  const whole = [1_000_000, 0, 500_000, 0, 0]
  const refundLogs = async () =>
    database.query
      .selectFrom('logs')
      .select(['type', 'content', 'user_id', 'quota'])
      .where('type', '=', 4)
      .where('user_id', '=', owner.userId)
      .execute()
  const differences = async () => (await verifyLedger(database)).differences

  return {
    get database() {
      return database
    },
    get bench() {
      return bench
    },
    get node() {
      return node
    },
    get other() {
      return other
    },
    get owner() {
      return owner
    },
    get channel() {
      return channels
    },
    start,
    draw,
    sing,
    idOf,
    setState,
    poll,
    drawing,
    song,
    books,
    charged,
    whole,
    refundLogs,
    differences,
  }
}
