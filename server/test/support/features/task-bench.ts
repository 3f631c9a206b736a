import type { Database } from '../../../src/db/database.ts'
import { openOpenTasks } from '../../../src/features/task-progress/open-tasks.ts'
import { openPoll } from '../../../src/features/task-progress/poll.ts'
import { createRefresh, type Refresh } from '../../../src/features/task-progress/refresh.ts'
import { createSettling, type Settling } from '../../../src/features/task-progress/settle.ts'
import { openNamedJobs } from '../../../src/jobs/named-jobs.ts'
import type { RelayChannel, RequestRecord, TaskStart } from '../../../src/relay/ports.ts'
import { openUndiciUpstream } from '../../../src/relay/upstream/upstream-undici.ts'
import { aRecord } from '../journal/records.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger, type TestLedger } from '../ledger/ledger.ts'
import { openTestChannels, type TestChannels, testChannel } from '../relay/ports.ts'
import { openTestService, type TestService } from '../relay/task-service.ts'

/** One node of several on one database, with a ledger of its own, for tests. */
export interface TestNode {
  readonly ledger: TestLedger['ledger']
  readonly settling: Settling
  readonly refresh: Refresh
  readonly poll: ReturnType<typeof openPoll>
  readonly warnings: string[]
  readonly changedTokens: number[]
  close(): Promise<void>
}

export interface Bench {
  readonly database: Database
  readonly service: TestService
  readonly channels: TestChannels
  /** Milliseconds; moved by tests. */
  now: number
  node(more?: { database?: Database; logDatabase?: Database }): Promise<TestNode>
  /** A channel to the service, in the database and in the nodes' picture. */
  channel(id: number, more?: Partial<RelayChannel>): Promise<void>
  close(): Promise<void>
}

const hash = (key: string): string => `hash of ${key}`

export const openBench = async (database: Database): Promise<Bench> => {
  const service = await openTestService()
  const upstream = openUndiciUpstream()
  const channels = openTestChannels()
  const nodes: TestNode[] = []
  const bench: Bench = {
    database,
    service,
    channels,
    now: Date.now(),

    async node(more = {}) {
      const { directory, remove } = await newJournalDirectory()
      const own = more.database ?? database
      const logDatabase = more.logDatabase ?? own
      const { ledger, crash } = await openTestLedger(own, directory, { logDatabase })
      const clock = (): number => bench.now
      const tasks = openOpenTasks(own)
      const changedTokens: number[] = []
      const settling = createSettling({
        database: own,
        logDatabase,
        movements: ledger.movements,
        unit: () => 0,
        tokenChanged: (id) => {
          changedTokens.push(id)
        },
        clock,
      })
      const warnings: string[] = []
      const refresh = createRefresh({
        tasks,
        settling,
        channels,
        service: { upstream, connectMs: 2000, maxResponseBytes: 1024 * 1024 },
        keyHashOf: hash,
        clock,
        warn: (message) => {
          warnings.push(message)
        },
      })
      const poll = openPoll({
        jobs: openNamedJobs(own, clock),
        tasks,
        refresh,
        failed(error) {
          throw error
        },
        clock,
      })
      const node: TestNode = {
        ledger,
        settling,
        refresh,
        poll,
        warnings,
        changedTokens,
        async close() {
          await crash()
          await remove()
        },
      }
      nodes.push(node)
      return node
    },

    async channel(id, more = {}) {
      channels.list.push(testChannel({ id, type: 2, baseUrl: service.url, keys: ['key-a'], ...more }))
      await database.query
        .insertInto('channels')
        .values({
          id,
          type: 2,
          key_cipher: '',
          status: 1,
          name: `channel ${id}`,
          weight: 0,
          created_time: 0,
          test_time: 0,
          response_time: 0,
          base_url: service.url,
          other: '',
          balance: 0,
          balance_updated_time: 0,
          models: '',
          group: 'default',
          used_quota: 0,
          model_mapping: null,
          status_code_mapping: null,
          priority: 0,
          auto_ban: 1,
          other_info: '',
          tag: null,
          setting: '',
          param_override: null,
          openai_organization: null,
          test_model: null,
          max_input_tokens: 0,
          key_hint: '',
          key_hash: `h${id}`,
        })
        .execute()
    },

    async close() {
      for (const node of nodes) await node.close()
      await service.close()
      await upstream.close()
    },
  }
  return bench
}

let requests = 0

/** The record of a task that was begun for `quota`. */
export const taskRecord = (
  owner: { userId: number; tokenId: number },
  task: Partial<TaskStart>,
  more: Partial<RequestRecord> = {},
): RequestRecord => {
  requests += 1
  return {
    ...aRecord(`task-request-${requests}`, more),
    ...owner,
    at: Date.now(),
    task: {
      platform: 'midjourney',
      taskId: `t${requests}`,
      action: 'IMAGINE',
      code: 1,
      prompt: 'a toll booth',
      description: '',
      state: '',
      status: 'SUBMITTED',
      progress: '0%',
      imageUrl: '',
      failReason: '',
      submittedAt: Date.now(),
      keyHash: hash('key-a'),
      ...task,
    },
  }
}

export const createTestUser = async (
  database: Database,
  ledger: TestLedger['ledger'],
): Promise<{ userId: number; tokenId: number }> => {
  const userId = await newUser(database, ledger, 1_000_000)
  return { userId, tokenId: await newToken(database, ledger, { userId, remain: 500_000 }) }
}
