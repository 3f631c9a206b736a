import type { IncomingMessage } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import { dialects } from '../dialects/index.ts'
import { createPictureFetcher, wholePictures } from '../features/drawings/images.ts'
import { limitStatesOf } from '../features/limits/states.ts'
import { openReceipts } from '../features/receipts/receipts.ts'
import { openReceiptKeys } from '../features/receipts/signing-keys.ts'
import { openTaskBooks } from '../features/task-progress/books.ts'
import { openTokenAccounts } from '../features/tokens/account.ts'
import { createRateLimit } from '../gateway/auth/rate-limit.ts'
import { openBodyParser } from '../gateway/bodies/body-parser.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createPublicAddress } from '../gateway/request/public-address.ts'
import { openThoughtMemory } from '../gateway/thoughts/thought-memory.ts'
import { openAnswerMemory } from '../lib/memory/answer-memory.ts'
import { collectGarbage } from '../lib/memory/collect-garbage.ts'
import { hasLittleMemory, memoryLimit } from '../lib/memory/memory-limit.ts'
import { openMemoryPressure, watchMemory } from '../lib/memory/memory-pressure.ts'
import { openReservedMemory } from '../lib/memory/reserved-memory.ts'
import { usedMemory } from '../lib/memory/used-memory.ts'
import { createClientIpReader } from '../lib/security/client-address.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { createCachedContents } from '../relay/cached-contents/cached-contents.ts'
import { joinedCaptures, joinedInspections } from '../relay/joined-captures.ts'
import { openReadiness } from '../relay/ports/readiness.ts'
import type { RequestRecord } from '../relay/ports.ts'
import { openRawCalls } from '../relay/raw/raw-call.ts'
import { endAbandonedWebCalls } from '../relay/realtime/abandoned-web-calls.ts'
import { createRealtime } from '../relay/realtime/realtime.ts'
import { openRefusalRows } from '../relay/refusals/refusal-rows.ts'
import { createRelay } from '../relay/relay.ts'
import { createBelowCost } from '../relay/routing/below-cost.ts'
import { openFirstContents } from '../relay/routing/choice/first-contents.ts'
import { createStoredResponseCalls } from '../relay/routing/stored-response-calls.ts'
import { openAnsweredSessions } from '../relay/sessions/answered-sessions.ts'
import { openCacheMemory } from '../relay/sessions/cache-memory.ts'
import { openSealPlaces } from '../relay/sessions/sealed/seal-places.ts'
import { createSessionGuard } from '../relay/sessions/session-guard.ts'
import { openSessionPlaces } from '../relay/sessions/session-places.ts'
import { createTaskRelay } from '../relay/tasks/task-relay.ts'
import { openCountTokens } from '../relay/usage/count-tokens.ts'
import { listenedChannels, listenedRecorder } from '../telemetry/listened-relay.ts'
import { joinBatches } from './batches/join-batches.ts'
import type { ConsoleApp } from './console.ts'
import type { SharedParts } from './parts.ts'
import type { Monitoring } from './telemetry/monitoring.ts'

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
  const { config, clock, log, ledger, groups, redis, neighbours } = shared
  const ipOf = createClientIpReader(config.trustedProxies)
  const note = (event: string, fields: Readonly<Record<string, unknown>>): void => log.warn(event, fields)
  const requestEnded = listener?.requestEnded
  const recorder = listenedRecorder(ledger.recorder, listener)
  const refusalRows = openRefusalRows({ recorder, clock, log: note })
  const { sessionCounts } = console
  const sessionGuard = createSessionGuard(sessionCounts, clock)
  const limit = memoryLimit()
  const now = (): number => performance.now()
  const measured = { limit, used: usedMemory, collect: collectGarbage, now }
  const unwatched = hasLittleMemory() ? watchMemory(measured) : undefined
  // One answer is always on its way, and leaves more garbage than any body.
  const pressureOfAnswers = openMemoryPressure({ ...measured, usableShare: 0.75, collectEveryMs: 500 })
  const answerMemory = openAnswerMemory({ memoryBytes: limit, pressure: pressureOfAnswers, now })
  const maxResponseBytes = Math.min(config.maxResponseBytes, answerMemory.largest)
  const inspections = joinedInspections(console.modules.inspections)
  const relayParts = {
    refusalRows,
    channels: listenedChannels(console.channels, listener),
    prices: shared.prices,
    costs: shared.costs,
    belowCost: createBelowCost({
      prices: shared.prices,
      costs: shared.costs,
      enabled: () => shared.options.get('RouteAroundLossEnabled'),
    }),
    captures: joinedCaptures(console.modules.captures),
    ...(inspections === undefined ? {} : { inspections }),
    answeredSessions: openAnsweredSessions(),
    cacheMemory: openCacheMemory({ clock, later: setImmediate }),
    sessionPlaces: openSessionPlaces({ bus: shared.bus }),
    sealPlaces: openSealPlaces({ bus: shared.bus }),
    sessionGuard,
    callLimits: console.limiter,
    upstreamLimits: console.upstreamLimits,
    onCharged: (record: RequestRecord) => {
      if (record.session !== undefined) sessionGuard.charged(record)
      if (record.cost !== undefined && record.cost > record.quota) console.lossWatch.charged(record)
      listener?.callRecorded(record)
    },
    holds: ledger.holds,
    recorder,
    counter: shared.counter,
    upstream: shared.upstream,
    options: shared.relayOptions,
    fetchPicture: wholePictures(
      createPictureFetcher(createEgressGuard({ allow: config.egressAllow })),
      config.maxFileDownloadBytes,
    ),
    limits: {
      timeouts: config.timeouts,
      maxResponseBytes,
      answerMemory,
      defaultApiVersion: config.azureApiVersion,
    },
    forceStreamOption: config.forceStreamOption,
    keepAliveMs: config.timeouts.keepAliveComment,
    readiness: openReadiness(
      new Map([
        ['recording_failed', { stops: () => !ledger.accepting, watch: ledger.whenAccepting }],
        ['other_gateway_serves', { stops: () => neighbours.stranger !== undefined, watch: neighbours.whenStranger }],
      ]),
    ),
    clock,
    random: Math.random,
    figures: console.figures,
    firstContents: openFirstContents(),
    hedgeBudget: console.hedgeBudget,
    storedResponses: shared.storedResponses,
    log: note,
  }
  const tasks = createTaskRelay({
    ...relayParts,
    connectMs: config.timeouts.connect,
    maxResponseBytes,
    arrived: ledger.arrived,
    keyHashOf: shared.storedResponses.keyHashOf,
    books: openTaskBooks(shared.database),
    taskOptions: shared.taskOptions,
    refreshDrawing: console.refreshDrawing,
  })
  const receiptKeys = openReceiptKeys(shared)
  const batches = joinBatches(shared, { ...relayParts, models: () => shared.relayOptions().models })
  const gateway = createGateway({
    dialects,
    tasks,
    rawCalls: openRawCalls(relayParts),
    batchCalls: batches.calls,
    cachedContents: createCachedContents({
      ...relayParts,
      storedObjects: shared.storedObjects,
      giveBack: console.storageRefunds.giveBack,
    }),
    relay: createRelay(relayParts),
    realtime: createRealtime(relayParts),
    counting: openCountTokens(relayParts),
    storedResponseCalls: createStoredResponseCalls(relayParts),
    storedResponses: shared.storedResponses,
    storedObjects: shared.storedObjects,
    madeObjects: shared.madeObjects,
    secrets: shared.secrets,
    sessionCounts,
    thoughts: openThoughtMemory({ secrets: shared.secrets, redis, clock }),
    channels: console.channels,
    callers: console.apiKeys,
    sessions: console.playgroundSessions,
    groups: {
      usable: (userGroup) =>
        Object.fromEntries(Object.entries(groups.usableGroups(userGroup)).map(([name, { desc }]) => [name, desc])),
      hasRatio: groups.exists,
    },
    rateLimit: createRateLimit(console.throttles),
    accountOf: openTokenAccounts({ database: shared.database, options: shared.options.snapshot }),
    limitStatesOf: (caller, ip) => limitStatesOf(console.limiter, { caller, model: '', ip }, shared.countingClock()),
    receipts: openReceipts({ database: shared.database, keys: receiptKeys }),
    receiptKeys: receiptKeys.published,
    mayAsk: console.mayAsk,
    drawingPicture: console.drawingPicture,
    modelEnd: console.modelEnd,
    options: shared.relayOptions,
    prices: shared.prices,
    sources: shared.sources,
    present: shared.present,
    parser: openBodyParser(),
    answerMemory,
    keptMemory: openReservedMemory(limit, openMemoryPressure(measured)),
    clientAddress: (request: IncomingMessage) =>
      ipOf(request.socket.remoteAddress, (name) => {
        const value = ownMember(request.headers, name)
        return Array.isArray(value) ? value.join(', ') : value
      }),
    publicAddress: createPublicAddress({
      trustedProxies: config.trustedProxies,
      serverAddress: () => shared.options.get('ServerAddress'),
    }),
    maxRequestBytes: config.maxRequestBytes,
    clock,
    log: note,
    tracing,
    requestEnded:
      requestEnded &&
      (({ route, startedAt }, status) =>
        requestEnded({ kind: route.kind, status, tookMs: Math.max(0, clock() - startedAt) })),
  })
  console.modules.useGateway(gateway)
  const closing = new AbortController()
  const callsEnded = endAbandonedWebCalls(ledger.leftWebCalls, relayParts, closing.signal)
  return {
    ...gateway,
    get running() {
      return gateway.running
    },
    async close() {
      unwatched?.()
      closing.abort()
      await callsEnded
      await batches.close()
      await refusalRows.close()
    },
  }
}
