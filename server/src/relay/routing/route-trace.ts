import type { ChannelChoice, RouteCandidate } from '@tollgate/contract'
import type { RelayChannel } from '../ports.ts'
import type { AgainstChannel } from '../sessions/session-route.ts'

/** How a call was led, for its record; operators only. */
export interface RouteRecord {
  /** Id of the virtual model and name of its rule (empty for none); absent for other models. */
  virtual?: number
  rule?: string
  /** The model behind the virtual one that answered, or was asked last. */
  target?: string
  /** How channels of one priority were chosen; absent for by weight. */
  choice?: ChannelChoice
  /** What decided where chance did; absent where a session or a figure did. */
  draw?: number
  /** Absent where there was nothing to choose from. */
  candidates?: readonly RouteCandidate[]
  /** How many more candidates there were. */
  more?: number
}

interface Chosen {
  readonly candidates: readonly RelayChannel[]
  readonly channel: RelayChannel
  /** undefined where nothing spoke against a channel. */
  readonly against: ((channel: RelayChannel) => AgainstChannel | undefined) | undefined
  readonly choice: ChannelChoice
  /** What the choice compared; undefined where it was chance or a session. */
  readonly scoreOf: ((channel: RelayChannel) => number | undefined) | undefined
  readonly draw: number | undefined
}

/** As many as a record names: with thousands of channels the others are only counted. */
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

/** Notes the first choice of a call among several channels: who was there, and why each was or was not taken. */
export const noteChoice = (trace: RouteRecord, chosen: Chosen): void => {
  const { candidates, channel, choice, draw } = chosen
  const named = candidates.length <= mostNamed ? candidates : [channel, ...firstOthers(candidates, channel)]
  trace.candidates = named.map((candidate) => candidateOf(candidate, chosen))
  if (candidates.length > named.length) trace.more = candidates.length - named.length
  if (choice !== 'priority') trace.choice = choice
  if (draw !== undefined) trace.draw = draw
}

/** The channel that was chosen is at a limit after all: it was not asked. */
export const noteFull = (trace: RouteRecord | undefined, channelId: number): void => {
  if (trace?.candidates === undefined) return
  trace.candidates = trace.candidates.map((one) => (one.id === channelId ? { ...one, why: 'at_limit' } : one))
}

const firstOthers = (candidates: readonly RelayChannel[], channel: RelayChannel): readonly RelayChannel[] =>
  candidates
    .slice(0, mostNamed)
    .filter((candidate) => candidate !== channel)
    .slice(0, mostNamed - 1)
