import { createPriceBook } from '../../../src/billing/prices.ts'
import type { Database } from '../../../src/db/database.ts'
import type { Trace } from '../../../src/db/trace.ts'
import { type ChannelDirectory, openChannelDirectory } from '../../../src/features/channels/directory.ts'
import { createBalances } from '../../../src/features/channels/jobs/balances.ts'
import { type ChannelJobs, createChannelJobs } from '../../../src/features/channels/jobs/jobs.ts'
import { probe } from '../../../src/features/channels/jobs/probe.ts'
import { createChannelCheck, type HealthRules } from '../../../src/features/channels/jobs/test-all.ts'
import { createTestRun, type ProbingParts, type TestLog } from '../../../src/features/channels/jobs/test-run.ts'
import { createUnsavedTest } from '../../../src/features/channels/jobs/unsaved-test.ts'
import { openKeyStore } from '../../../src/features/channels/keys/key-store.ts'
import { createChannelKeys } from '../../../src/features/channels/keys/keys.ts'
import { openChannelLists } from '../../../src/features/channels/models/list-store.ts'
import { createChannelListing } from '../../../src/features/channels/models/lists.ts'
import { createUpstreamModels } from '../../../src/features/channels/models/upstream-models.ts'
import { type ChannelRouteParts, channelRoutes } from '../../../src/features/channels/routes.ts'
import { createChannelService } from '../../../src/features/channels/service.ts'
import { openChannelStore } from '../../../src/features/channels/store.ts'
import { channelTypeOf } from '../../../src/features/channels/types.ts'
import { openNamedJobs } from '../../../src/jobs/named-jobs.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'
import { createEgressGuard } from '../../../src/lib/security/egress.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { providerOf } from '../../../src/providers/index.ts'
import { testModels } from '../relay/ports.ts'
import { type SignedIn, signedIn } from './signed-in.ts'
import { type Answers, fixtureUpstream } from './upstream.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })

/** The time of every test, in unix seconds. */
export const now = 1_900_000_000

const prices = createPriceBook({
  modelRatio: { 'gpt-4o': 2 },
  modelPrice: {},
  completionRatio: { 'gpt-4o': 4 },
  cacheRatio: {},
  groupRatio: { default: 1 },
  quotaPerUnit: 500_000,
  selfUse: false,
})

/** A channel as the API shows it. */
export type Shown = Record<string, unknown> & { id: number }

/** The channels of a database with real parts around them, called by an admin. */
export interface Bench {
  readonly parts: ChannelRouteParts
  readonly jobs: ChannelJobs
  /** Options; tests change them. */
  rules: HealthRules
  /** Unix milliseconds of the jobs' clock; tests move it. */
  jobTime: number
  readonly directory: ChannelDirectory
  readonly upstream: ReturnType<typeof fixtureUpstream>
  readonly traces: Trace[]
  readonly logs: TestLog[]
  readonly notices: string[]
  readonly call: SignedIn
  /** The data of a call that succeeds; throws its message otherwise. */
  data<T = Shown>(method: string, path: string, body?: unknown): Promise<T>
  list(query?: string): Promise<Shown[]>
  /** Makes a channel and answers the newest. */
  create(body?: Record<string, unknown>): Promise<Shown>
  /** Ids of the channels that the relay would choose from. */
  served(group?: string, model?: string): number[]
}

const limits = {
  timeouts: { connect: 1000, firstByte: 1000, streamIdle: 1000 },
  maxResponseBytes: 1_000_000,
  defaultApiVersion: '2024-12-01-preview',
}

/**
 * Empties the tables of channels, unless it shall `keep` them, and builds everything anew; `answer` is what every upstream
 * says.
 */
export const openBench = async (
  database: Database,
  answer: Answers = { status: 200, body: {} },
  { keep = false } = {},
): Promise<Bench> => {
  for (const table of keep ? [] : (['channels', 'channel_keys', 'cluster_jobs'] as const)) {
    await database.query.deleteFrom(table).execute()
  }
  const upstream = fixtureUpstream(answer)
  const traces: Trace[] = []
  const logs: TestLog[] = []
  const notices: string[] = []
  const store = openChannelStore(database)
  const keyStore = openKeyStore(database)
  const state: Pick<Bench, 'rules' | 'jobTime'> = {
    rules: { disables: true, enables: true, slowest: 0 },
    jobTime: now * 1000,
  }
  const directory = await openChannelDirectory({
    rows: { relayRows: store.relayRows, disable: store.disable, disableKey: keyStore.disable },
    provider: providerOf,
    decrypt: (cipher) => secrets.decrypt('channel_key', cipher),
    digest: (key) => secrets.digest('channel_key', key),
    autoDisable: () => ({ enabled: state.rules.disables, keywords: [] }),
    bus: openBus({ nodeName: 'test', log: silentLog }),
    onDisabled: (channel, { text }) => notices.push(`${channel.name}: ${text}`),
    onKeyDisabled: (channel, key, { text }) => notices.push(`${channel.name} ${key}: ${text}`),
    warn: () => {},
    clock: () => now * 1000,
  })
  const audit = {
    record: async (trace: Trace) => {
      traces.push(trace)
    },
  }
  const fields = {
    secrets,
    typeOf: channelTypeOf,
    groupExists: (group: string) => ['default', 'vip', 'vip2'].includes(group),
  }
  const channels = createChannelService({
    database,
    store,
    keys: keyStore,
    directory,
    audit,
    ...fields,
    clock: () => now * 1000,
  })
  let clock = now * 1000
  const probing: ProbingParts = {
    probe: (channel, options) =>
      probe(channel, options, { upstream, limits, forceStreamOption: true, models: () => testModels }),
    prices,
    log: async (entry) => {
      logs.push(entry)
    },
    clock: () => {
      clock += 1250
      return clock
    },
  }
  const channelById = (id: number) => directory.snapshot().byId(id)
  const test = createTestRun({ ...probing, store, channelById, worked: () => {} })
  const egress = createEgressGuard({ allow: [], operator: true, resolve: async () => [{ address: '93.184.216.34' }] })
  const testUnsaved = createUnsavedTest({ ...probing, ...fields, store, provider: providerOf, egress })
  const models = createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress })
  const attention: ChannelRouteParts['attention'] = async () => new Map()
  const listing = createChannelListing(openChannelLists(database), keyStore, secrets, attention)
  const clockNow = (): number => now * 1000
  const keys = createChannelKeys({
    database,
    store,
    keys: keyStore,
    secrets,
    directory,
    restsUntil: () => 0,
    limitsOf: () => [],
    audit,
    clock: clockNow,
  })
  const balance = createBalances({ store, secrets, provider: providerOf, upstream, egress, clock: clockNow })
  const enable = async ({ id, name }: { id: number; name: string }): Promise<boolean> => {
    if (!(await store.enable(id))) return false
    await directory.changed([id])
    notices.push(`${name} is back`)
    return true
  }
  const jobs = createChannelJobs({
    states: openNamedJobs(database, () => state.jobTime),
    clock: () => state.jobTime,
    store,
    check: createChannelCheck({ test, keys, directory, rules: () => state.rules, enable }),
    updateBalance: balance,
    directory,
    disables: () => state.rules.disables,
    root: async () => ({ id: 1, username: 'root', group: 'default' }),
    tested: () => notices.push('all tested'),
    everyMinutes: { test: 10, balance: 20 },
    pauseMs: 0,
    warn: (message, error) => notices.push(`${message}: ${error}`),
  })
  const routing = { snapshot: directory.snapshot, stateOf: () => ({ state: 'closed' as const, until: 0 }) }
  const parts: ChannelRouteParts = {
    routing,
    attention,
    channels,
    listing,
    models,
    test,
    testUnsaved,
    keys,
    balance,
    jobs,
    webhookOf: (id) => `https://gate.example/hooks/channels/${id}.proof`,
  }
  const call = signedIn((on) => channelRoutes(on, parts), {
    id: 9,
    username: 'root',
    role: 10,
  })

  const data = async <T = Shown>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  const list = (query = 'page_size=100'): Promise<Shown[]> => data('GET', `/api/channel/?${query}`)
  const create = async (body: Record<string, unknown> = {}): Promise<Shown> => {
    await data('POST', '/api/channel/', {
      type: 1,
      name: 'main',
      key: 'sk-0123456789abcdef',
      models: 'gpt-4o',
      ...body,
    })
    const [newest] = await list('id_sort=true')
    if (!newest) throw new Error('nothing was made')
    return newest
  }
  const served = (group = 'default', model = 'gpt-4o'): number[] =>
    directory
      .snapshot()
      .serving(group, model)
      .map(({ id }) => id)
  return Object.assign(state, {
    parts,
    jobs,
    directory,
    upstream,
    traces,
    logs,
    notices,
    call,
    data,
    list,
    create,
    served,
  })
}
