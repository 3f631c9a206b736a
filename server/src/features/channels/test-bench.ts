import { createPriceBook } from '../../billing/prices.ts'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'
import { openBus } from '../../lib/bus.ts'
import { createEgressGuard } from '../../lib/egress.ts'
import { silentLog } from '../../lib/log.ts'
import { openSecrets } from '../../lib/secrets.ts'
import { providerOf } from '../../providers/index.ts'
import { testModels } from '../../relay/testing-ports.ts'
import { type SignedIn, signedIn } from '../test-signed-in.ts'
import { type ChannelDirectory, openChannelDirectory } from './directory.ts'
import { openChannelLists } from './list-store.ts'
import { createChannelListing } from './lists.ts'
import { probe } from './probe.ts'
import { type ChannelRouteParts, channelRoutes } from './routes.ts'
import { createChannelService } from './service.ts'
import { openChannelStore } from './store.ts'
import { createTestRun, type TestLog } from './test-run.ts'
import { fixtureUpstream } from './testing-upstream.ts'
import { channelTypeOf } from './types.ts'
import { createUpstreamModels } from './upstream-models.ts'

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

/** Empties the channel table and builds everything anew; `answer` is what every upstream says. */
export const openBench = async (
  database: Database,
  answer: Parameters<typeof fixtureUpstream>[0] = { status: 200, body: {} },
): Promise<Bench> => {
  await database.query.deleteFrom('channels').execute()
  const upstream = fixtureUpstream(answer)
  const traces: Trace[] = []
  const logs: TestLog[] = []
  const notices: string[] = []
  const store = openChannelStore(database)
  const directory = await openChannelDirectory({
    rows: store,
    provider: providerOf,
    decrypt: (cipher) => secrets.decrypt('channel_key', cipher),
    autoDisable: () => ({ enabled: true, keywords: [] }),
    bus: openBus({ nodeName: 'test', log: silentLog }),
    onDisabled: (channel, reason) => notices.push(`${channel.name}: ${reason}`),
    warn: () => {},
    clock: () => now * 1000,
  })
  const channels = createChannelService({
    database,
    store,
    directory,
    secrets,
    audit: {
      record: async (trace) => {
        traces.push(trace)
      },
    },
    typeOf: channelTypeOf,
    groupExists: (group) => ['default', 'vip', 'vip2'].includes(group),
    clock: () => now * 1000,
  })
  let clock = now * 1000
  const test = createTestRun({
    store,
    channelById: (id) => directory.snapshot().byId(id),
    probe: (channel, model) =>
      probe(channel, model, { upstream, limits, forceStreamOption: true, models: () => testModels }),
    prices,
    log: async (entry) => {
      logs.push(entry)
    },
    clock: () => {
      clock += 1250
      return clock
    },
  })
  const egress = createEgressGuard({ allow: [], operator: true, resolve: async () => [{ address: '93.184.216.34' }] })
  const models = createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress })
  const listing = createChannelListing(openChannelLists(database), secrets)
  const parts: ChannelRouteParts = { channels, listing, models, test }
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
      .candidates(group, model)
      .map(({ id }) => id)
  return { parts, directory, upstream, traces, logs, notices, call, data, list, create, served }
}
