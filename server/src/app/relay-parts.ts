import type { AnswerMemory } from '../lib/memory/answer-memory.ts'
import { type PictureFetcher, wholePictures } from '../lib/security/guarded-picture.ts'
import { joinedCaptures, joinedInspections } from '../relay/joined-captures.ts'
import { openReadiness } from '../relay/ports/readiness.ts'
import type { RequestRecord } from '../relay/ports.ts'
import { openRefusalRows } from '../relay/refusals/refusal-rows.ts'
import { createBelowCost } from '../relay/routing/below-cost.ts'
import { openFirstContents } from '../relay/routing/choice/first-contents.ts'
import { openAnsweredSessions } from '../relay/sessions/answered-sessions.ts'
import { openCacheMemory } from '../relay/sessions/cache-memory.ts'
import { openSealPlaces } from '../relay/sessions/sealed/seal-places.ts'
import { createSessionGuard } from '../relay/sessions/session-guard.ts'
import { openSessionPlaces } from '../relay/sessions/session-places.ts'
import type { CallListener } from '../telemetry/call-listener.ts'
import { listenedChannels, listenedRecorder } from '../telemetry/listened-relay.ts'
import type { ConsoleApp } from './console-app.ts'
import type { SharedParts } from './parts.ts'

export interface RelayNeeds {
  readonly console: ConsoleApp
  readonly listener: CallListener | undefined
  readonly answerMemory: AnswerMemory
  readonly fetchPicture: PictureFetcher
}

/** Opens the parts that all kinds of relayed calls stand on. */
export const openRelayParts = (shared: SharedParts, { console, listener, answerMemory, fetchPicture }: RelayNeeds) => {
  const { config, clock, log, ledger, neighbours } = shared
  const note = (event: string, fields: Readonly<Record<string, unknown>>): void => log.warn(event, fields)
  const recorder = listenedRecorder(ledger.recorder, listener)
  const refusalRows = openRefusalRows({ recorder, clock, log: note })
  const sessionGuard = createSessionGuard(console.sessionCounts, clock)
  const maxResponseBytes = Math.min(config.maxResponseBytes, answerMemory.largest)
  const inspections = joinedInspections(console.modules.inspections)
  return {
    refusalRows,
    channels: listenedChannels(console.channels, listener),
    prices: shared.prices,
    costs: shared.costs,
    belowCost: createBelowCost({ prices: shared.prices, costs: shared.costs }),
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
    fetchPicture: wholePictures(fetchPicture, config.maxFileDownloadBytes),
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
}
