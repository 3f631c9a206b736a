import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from '../../../src/dialects/dialect.ts'
import { dialects } from '../../../src/dialects/index.ts'
import { createRateLimit } from '../../../src/gateway/auth/rate-limit.ts'
import { openBodyParser } from '../../../src/gateway/bodies/body-parser.ts'
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts'
import type { GatewayParts } from '../../../src/gateway/gateway-parts.ts'
import type { CallerUser, GatewayPorts, TokenRecord } from '../../../src/gateway/ports.ts'
import { createPublicAddress } from '../../../src/gateway/request/public-address.ts'
import { openThoughtMemory } from '../../../src/gateway/thoughts/thought-memory.ts'
import { openReservedMemory, type ReservedMemory } from '../../../src/lib/memory/reserved-memory.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { openBatchedLines } from '../../../src/relay/batches/lines/batch-lines.ts'
import { createCachedContents } from '../../../src/relay/cached-contents/cached-contents.ts'
import { whateverIsLeft } from '../../../src/relay/holds/whatever-is-left.ts'
import { openRawCalls } from '../../../src/relay/raw/raw-call.ts'
import { createRealtime } from '../../../src/relay/realtime/realtime.ts'
import { createRelay } from '../../../src/relay/relay.ts'
import { createStoredResponseCalls } from '../../../src/relay/routing/stored-response-calls.ts'
import { openSessionCounts } from '../../../src/relay/sessions/session-counts.ts'
import { createTaskRelay } from '../../../src/relay/tasks/task-relay.ts'
import { openCountTokens } from '../../../src/relay/usage/count-tokens.ts'
import { openTestThrottles } from '../limits/limiter.ts'
import { openTestRelay, type TestRelay } from '../relay/ports.ts'
import { openTestTasks, type TestTasks } from '../relay/tasks.ts'

/** A gateway on a real port with everything behind it in memory, for tests. */

export const testUser: CallerUser = {
  id: 7,
  username: 'ann',
  role: 1,
  status: 1,
  group: 'default',
  acceptsUnpricedModels: false,
}

export const testToken: TokenRecord = {
  tokenId: 3,
  tokenName: 'main',
  keyHint: 'abc***xyz',
  status: 1,
  expiredTime: -1,
  remainQuota: 1000,
  unlimited: true,
  modelLimits: undefined,
  allowIps: '',
  group: '',
  user: testUser,
}

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: '/nowhere' })

export interface TestGateway {
  readonly url: string
  readonly parts: TestRelay
  readonly tasks: TestTasks
  /** Token records by bare key. */
  readonly tokens: Map<string, TokenRecord>
  readonly logged: string[]
  readonly listener: Gateway
  close(): Promise<void>
}

export const listen = async (
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<{ server: Server; url: string }> => {
  const server = createServer({ keepAliveTimeout: 0, ...options }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}` }
}

export const shut = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

export const openTestGateway = async (
  changes: {
    relay?: Partial<TestRelay>
    gateway?: Partial<
      Pick<
        GatewayParts,
        'background' | 'batchCalls' | 'deadlines' | 'directCalls' | 'keptFiles' | 'moduleRoutes' | 'sources'
      > &
        GatewayPorts
    >
    dialects?: readonly Dialect[]
    keptMemory?: ReservedMemory
  } = {},
): Promise<TestGateway> => {
  const parts = openTestRelay(changes.relay)
  const tokens = new Map([['good', testToken]])
  const logged: string[] = []
  const tasks = openTestTasks()
  const parser = openBodyParser()
  const listener = createGateway({
    dialects: changes.dialects ?? dialects,
    relay: createRelay(parts),
    chargedRelay: createRelay({ ...parts, ...whateverIsLeft(parts) }),
    batchLines: openBatchedLines(parts),
    realtime: createRealtime(parts),
    counting: openCountTokens(parts),
    storedResponseCalls: createStoredResponseCalls(parts),
    rawCalls: openRawCalls(parts),
    cachedContents: createCachedContents(parts),
    storedResponses: parts.storedResponses,
    storedObjects: parts.storedObjects,
    madeObjects: parts.madeObjects,
    secrets,
    sessionCounts: openSessionCounts({ clock: parts.clock }),
    thoughts: openThoughtMemory({ secrets, redis: undefined, clock: parts.clock }),
    tasks: createTaskRelay({ ...parts, ...tasks.parts }),
    channels: parts.channels,
    options: () => parts.settings,
    prices: parts.prices,
    callLimits: parts.callLimits,
    // Tests replace sources as they like: each call gets a plan of its own.
    sources: { now: Number.NaN, bump: () => undefined },
    clock: parts.clock,
    callers: { byKey: (key) => tokens.get(key) },
    chargedAmong: async () => new Set(),
    keyById: async (id) => [...tokens.values()].find(({ tokenId }) => tokenId === id),
    sessions: { caller: async () => testUser },
    groups: { usable: () => ({ default: '', vip: '' }), hasRatio: (group) => group !== 'bare' },
    rateLimit: createRateLimit(openTestThrottles({ clock: parts.clock })),
    accountOf: async () => ({ remaining: 3, used: 2, accessUntil: 0, unlimited: false }),
    mayAsk: () => true,
    drawingPicture: async () => undefined,
    clientAddress: (request: IncomingMessage) => request.socket.remoteAddress ?? '',
    publicAddress: createPublicAddress({ trustedProxies: [], serverAddress: () => '' }),
    maxRequestBytes: 1024 * 1024,
    parser,
    keptMemory: changes.keptMemory ?? openReservedMemory(8 * 1024 * 1024 * 1024),
    log: (event, fields) => {
      logged.push(`${event} ${JSON.stringify(fields)}`)
    },
    ...changes.gateway,
  })
  const { server, url } = await listen(
    (request: IncomingMessage, response: ServerResponse) => {
      if (!listener.handle(request, response)) response.writeHead(418).end('console')
    },
    { shouldUpgradeCallback: listener.takesUpgrade },
  )
  server.on('upgrade', listener.upgrade)
  return {
    url,
    parts,
    tasks,
    tokens,
    logged,
    listener,
    async close() {
      await shut(server)
      await parser.close()
      await parts.close()
    },
  }
}
