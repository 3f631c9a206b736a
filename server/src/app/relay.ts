import { dialects } from '../dialects/index.ts'
import { joinBatches } from '../features/batches/join.ts'
import { limitStatesOf } from '../features/limits/states.ts'
import { joinReceipts } from '../features/receipts/join.ts'
import { openTaskBooks } from '../features/task-progress/books.ts'
import { taskHookKinds } from '../features/task-progress/called-tasks.ts'
import { openPublicPictures } from '../features/task-progress/public-pictures.ts'
import { openTokenAccounts } from '../features/tokens/account.ts'
import { createRateLimit } from '../gateway/auth/rate-limit.ts'
import { openBodyParser } from '../gateway/bodies/body-parser.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { sidesOfGateway } from '../gateway/module-side.ts'
import { createPublicAddress } from '../gateway/request/public-address.ts'
import { openThoughtMemory } from '../gateway/thoughts/thought-memory.ts'
import { openProcessMemory } from '../lib/memory/process-memory.ts'
import { createRequestAddress } from '../lib/security/client-address.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { createPictureFetcher } from '../lib/security/guarded-picture.ts'
import { createCachedContents } from '../relay/cached-contents/cached-contents.ts'
import { openProviderJobs } from '../relay/provider-jobs/provider-jobs.ts'
import { endAbandonedWebCalls } from '../relay/realtime/abandoned-web-calls.ts'
import { openRelayCalls } from '../relay/relay-calls.ts'
import { createTaskRelay } from '../relay/tasks/task-relay.ts'
import type { Monitoring } from '../telemetry/monitoring.ts'
import type { ConsoleApp } from './console-app.ts'
import type { SharedParts } from './parts.ts'
import { openRelayParts } from './relay-parts.ts'

/** The gateway and what to close with it. */
export interface RelayGateway extends Gateway {
  /** Writes the counted refusals, and gives up what cannot be ended at its provider; call it after the last request has ended. */
  close(): Promise<void>
}

/** Builds the relay and the gateway in front of it. */
export const joinRelay = (
  shared: SharedParts,
  console: ConsoleApp,
  { listener, tracing }: Pick<Monitoring, 'listener' | 'tracing'>,
): RelayGateway => {
  const { config, clock, ledger, groups, redis } = shared
  const requestEnded = listener?.requestEnded
  const { answerMemory, keptMemory, close: closeMemory } = openProcessMemory()
  const fetchPicture = createPictureFetcher(createEgressGuard({ allow: config.egressAllow }))
  const relayParts = openRelayParts(shared, { console, listener, answerMemory, fetchPicture })
  const tasks = createTaskRelay({
    ...relayParts,
    connectMs: config.timeouts.connect,
    maxResponseBytes: relayParts.limits.maxResponseBytes,
    arrived: ledger.arrived,
    keyHashOf: shared.storedResponses.keyHashOf,
    books: openTaskBooks(shared.database),
    taskOptions: shared.taskOptions,
    callbackUrl: (platform, requestId) => shared.jobHooks.addressOf(taskHookKinds[platform], requestId),
    refreshDrawing: console.refreshDrawing,
  })
  const batches = joinBatches(shared, { ...relayParts, models: () => shared.relayOptions().models })
  const gateway = createGateway({
    dialects,
    tasks,
    ...openRelayCalls(relayParts),
    ...joinReceipts(shared),
    batchCalls: batches.calls,
    cachedContents: createCachedContents({
      ...relayParts,
      storedObjects: shared.storedObjects,
      giveBack: console.storageRefunds.giveBack,
    }),
    storedResponses: shared.storedResponses,
    storedObjects: shared.storedObjects,
    madeObjects: shared.madeObjects,
    keptFiles: shared.keptFiles,
    secrets: shared.secrets,
    sessionCounts: console.sessionCounts,
    thoughts: openThoughtMemory({ secrets: shared.secrets, redis, clock }),
    channels: console.channels,
    callers: console.apiKeys,
    keyById: console.apiKeys.byId,
    chargedAmong: ledger.chargedAmong,
    ...sidesOfGateway(console.modules),
    sessions: console.playgroundSessions,
    groups: {
      usable: (userGroup) =>
        Object.fromEntries(Object.entries(groups.usableGroups(userGroup)).map(([name, { desc }]) => [name, desc])),
      hasRatio: groups.exists,
    },
    rateLimit: createRateLimit(console.throttles),
    accountOf: openTokenAccounts({ database: shared.database, options: shared.options.snapshot }),
    limitStatesOf: (caller, ip) => limitStatesOf(console.limiter, { caller, model: '', ip }, shared.countingClock()),
    mayAsk: console.mayAsk,
    drawingPicture: openPublicPictures(shared.database, fetchPicture),
    modelEnd: console.modelEnd,
    options: shared.relayOptions,
    prices: shared.prices,
    callLimits: console.limiter,
    sources: shared.sources,
    present: shared.present,
    parser: openBodyParser(),
    answerMemory,
    keptMemory,
    clientAddress: createRequestAddress(config.trustedProxies),
    basePath: config.basePath,
    publicAddress: createPublicAddress({
      trustedProxies: config.trustedProxies,
      serverAddress: () => shared.options.get('ServerAddress'),
      basePath: config.basePath,
    }),
    maxRequestBytes: config.maxRequestBytes,
    clock,
    log: relayParts.log,
    tracing,
    requestEnded:
      requestEnded &&
      (({ route, startedAt }, status) =>
        requestEnded({ kind: route.kind, status, tookMs: Math.max(0, clock() - startedAt) })),
  })
  const { keyHashOf } = shared.storedResponses
  console.modules.useGateway({ ...gateway, openProviderJobs: () => openProviderJobs({ ...relayParts, keyHashOf }) })
  const closing = new AbortController()
  const callsEnded = endAbandonedWebCalls(ledger.leftWebCalls, relayParts, closing.signal)
  return {
    ...gateway,
    get running() {
      return gateway.running
    },
    async close() {
      closeMemory()
      closing.abort()
      await callsEnded
      await batches.close()
      await relayParts.refusalRows.close()
    },
  }
}
