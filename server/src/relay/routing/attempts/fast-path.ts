import { serves } from '../../exchange/exchange-for.ts'
import type { RelayChannel } from '../../ports.ts'
import { SessionRoute } from '../../sessions/session-route.ts'
import { type CandidateTable, candidateTable } from '../candidate-tiers.ts'
import { drawFrom, drawsFrom } from '../choice/draws.ts'
import { byChance, chooseChannel } from '../plan.ts'
import { noteChoice } from '../route-trace.ts'
import type { AttemptContext } from './ask-in-turn.ts'

/** The first channel of a call, and the decisions that led to it. */
export interface FastPath {
  readonly channel: RelayChannel
  /** undefined where the call has no session affinity. */
  readonly route: SessionRoute | undefined
  /** Random number of the call; undefined where one channel with one key needs none. */
  readonly draw: number | undefined
  /** Random numbers derived from `draw`. */
  readonly random: (() => number) | undefined
}

const noChannels: ReadonlySet<number> = new Set()

/**
 * The first channel of a call whose choice needs no further checks: no candidate is unhealthy, limited or too expensive, the call is
 * pinned to no channel, and it is not hedged. The channel is the one that `nextChannel` would choose. Undefined where a check is needed.
 */
export const fastPath = <Outcome>(context: AttemptContext<Outcome>, model: string): FastPath | undefined => {
  const { call, attempt, options, log, parts } = context
  const { caller, session, plan } = call
  if (call.place !== undefined || call.target !== undefined || call.route !== undefined || call.sealed !== undefined)
    return undefined
  if (caller.forcedChannel !== undefined || caller.project?.channels !== undefined) return undefined
  if (attempt.mayHedge === true && options.hedgedGroups.has(caller.group)) return undefined
  const limits = plan === undefined ? parts.callLimits?.all : plan.limits
  if (limits !== undefined && limits.channels.length > 0) return undefined
  if (parts.channels.health?.calm === false) return undefined
  const snapshot = parts.channels.snapshot()
  const isPlanned = plan !== undefined && plan.snapshot === snapshot
  const candidates = isPlanned ? plan.serving : snapshot.serving(caller.group, model)
  const table = isPlanned ? plan.table : candidateTable(candidates)
  const { only } = table
  if (only === undefined && (candidates.length === 0 || hasReasons(context, candidates, table))) return undefined
  for (const provider of table.providers) if (!answers(context, provider)) return undefined
  const { sessionPlaces } = parts
  const follows =
    session !== undefined && sessionPlaces !== undefined && (session.staysWithChannel || table.keepsShortPrompts)
  if (!follows && only !== undefined) return { channel: only, route: undefined, draw: undefined, random: undefined }
  const route = follows ? new SessionRoute(session, model, sessionPlaces, parts.clock()) : undefined
  const draw = only === undefined ? drawFrom(parts.random) : undefined
  const random = draw === undefined ? undefined : drawsFrom(draw)
  const channel =
    route === undefined && random !== undefined
      ? chooseChannel(candidates, noChannels, 0, byChance(random))
      : route?.channel({ candidates, tried: noChannels, number: 0, against: undefined })
  if (channel === undefined) return undefined
  if (candidates.length > 1) {
    log.route ??= {}
    const drawn = route === undefined ? draw : undefined
    noteChoice(log.route, {
      candidates,
      channel,
      against: undefined,
      choice: 'priority',
      scoreOf: undefined,
      draw: drawn,
    })
  }
  return { channel, route, draw, random }
}

/** True if the choice of channel or key may depend on more than priority, weight and session. */
const hasReasons = <Outcome>(
  { call, options, parts }: AttemptContext<Outcome>,
  candidates: readonly RelayChannel[],
  { limitsPrompts }: CandidateTable,
): boolean => {
  const { group } = call.caller
  if (limitsPrompts || (parts.figures !== undefined && options.channelChoices.has(group))) return true
  if (parts.upstreamLimits?.calm === false) return true
  if (!options.avoidsLosses || candidates.length < 2) return false
  return parts.belowCost?.of(call.model, group, call.startedAt) !== undefined
}

/** True if a provider can answer such a call. A task's channels are those that have its model. */
const answers = <Outcome>({ call }: AttemptContext<Outcome>, provider: RelayChannel['provider']): boolean => {
  const { endpoint, dialect, path } = call
  if (endpoint === undefined) return true
  if (endpoint === 'conversation' && dialect !== undefined) return provider.languages.length > 0
  return serves(provider, { endpoint, dialect, path })
}
