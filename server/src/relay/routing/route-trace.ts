import type { ChannelChoice, RouteCandidate } from '@tollgate/contract'
import type { RelayChannel } from '../ports.ts'
import type { AgainstChannel } from '../sessions/session-route.ts'

/** Routing of a call, for its record; operators only. */
export interface RouteRecord {
  /** Id of the virtual model and name of its rule (empty for none); absent for other models. */
  virtual?: number
  rule?: string
  /** The target of the virtual model that answered, or was tried last. */
  target?: string
  /** Selection within a priority; absent for by weight. */
  choice?: ChannelChoice
  /** Random number of the call; absent where a session or a figure decided. */
  draw?: number
  /** Absent where there was nothing to choose from. */
  candidates?: readonly RouteCandidate[]
  /** How many more candidates there were. */
  more?: number
}

interface Chosen {
  readonly candidates: readonly RelayChannel[]
  readonly channel: RelayChannel
  /** Reason to avoid a channel; undefined where there are none for any. */
  readonly against: ((channel: RelayChannel) => AgainstChannel | undefined) | undefined
  readonly choice: ChannelChoice
  /** Figure that the choice compared; undefined for random choices and sessions. */
  readonly scoreOf: ((channel: RelayChannel) => number | undefined) | undefined
  readonly draw: number | undefined
}

/** Candidates that a record names: of thousands, the others are only counted. */
const mostNamed = 8

const whyOf = (channel: RelayChannel, { channel: chosen, against }: Chosen): RouteCandidate['why'] => {
  if (channel.id === chosen.id) return 'chosen'
  const reason = against?.(channel)
  if (reason !== undefined) return reason
  return channel.priority < chosen.priority ? 'lower_priority' : 'not_drawn'
}

const candidateOf = (channel: RelayChannel, chosen: Chosen): RouteCandidate => {
  const { id, priority, weight } = channel
  const score = chosen.scoreOf?.(channel)
  const why = whyOf(channel, chosen)
  const isCompared = chosen.choice !== 'priority' && why === 'not_drawn'
  return {
    id,
    priority,
    weight,
    why: isCompared ? 'not_best' : why,
    ...(score === undefined ? {} : { score }),
  }
}

/** Notes the first choice of a call among several channels: the candidates, and the reason for or against each. */
export const noteChoice = (trace: RouteRecord, chosen: Chosen): void => {
  const { candidates, channel, choice, draw } = chosen
  const named = candidates.length <= mostNamed ? candidates : [channel, ...firstOthers(candidates, channel)]
  trace.candidates = named.map((candidate) => candidateOf(candidate, chosen))
  if (candidates.length > named.length) trace.more = candidates.length - named.length
  if (choice !== 'priority') trace.choice = choice
  if (draw !== undefined) trace.draw = draw
}

/** Notes that the chosen channel turned out to be at a limit and was not tried. */
export const noteFull = (trace: RouteRecord | undefined, channelId: number): void => {
  if (trace?.candidates === undefined) return
  trace.candidates = trace.candidates.map((one) => (one.id === channelId ? { ...one, why: 'at_limit' } : one))
}

const firstOthers = (candidates: readonly RelayChannel[], channel: RelayChannel): readonly RelayChannel[] =>
  candidates
    .slice(0, mostNamed)
    .filter((candidate) => candidate !== channel)
    .slice(0, mostNamed - 1)
