import type { SessionMove } from '@tollgate/contract'
import type { RelayChannel } from '../ports.ts'
import { candidateTable } from '../routing/candidate-tiers.ts'
import { seedOfKey } from '../routing/key-choice.ts'
import { chooseChannel, type TierChoice } from '../routing/plan.ts'
import { bySession } from './rendezvous.ts'
import type { Session } from './session-of.ts'
import type { SessionPlace, SessionPlaces } from './session-places.ts'

/** What speaks against a channel or a key for a call. */
export type AgainstChannel = 'in_trouble' | 'at_limit' | 'nothing_left' | 'too_long' | 'below_cost'

/** How a call went with its session, for its record. */
export interface SessionTrace {
  readonly id: string
  readonly state: 'hit' | 'moved' | 'cold' | 'stopped'
  /** Absent where the call went where the last one went. */
  readonly why?: SessionMove
}

/**
 * Milliseconds without a call after which a session goes back to the place that its hash says: the provider's cache is cold
 * everywhere by then (Anthropic keeps prompts five minutes, OpenAI five to ten).
 */
export const warmMs = 600_000

export interface Choosing {
  readonly candidates: readonly RelayChannel[]
  readonly tried: ReadonlySet<number>
  /** Number of the attempt, from 0. */
  readonly number: number
  /** undefined where nothing speaks against a channel. */
  readonly against: ((channel: RelayChannel) => AgainstChannel | undefined) | undefined
  /** How a session without a warm place chooses; by its hash where absent. */
  readonly choice?: TierChoice | undefined
}

/** Channel and key of one call of a session. */
export class SessionRoute {
  private readonly session: Session
  private readonly model: string
  private readonly places: SessionPlaces
  private readonly before: SessionPlace | undefined
  private readonly isWarm: boolean
  private why: SessionMove | undefined
  private moved = false

  /** `now` in milliseconds since 1970. */
  constructor(session: Session, model: string, places: SessionPlaces, now: number) {
    this.session = session
    this.model = model
    this.places = places
    this.before = places.last(session.id, model)
    this.isWarm = this.before !== undefined && now - this.before.at < warmMs
  }

  /** Where the session's last call went, while the cache there is warm; else, and where that may not be asked, by hash. */
  channel({ candidates, tried, number, against, choice }: Choosing): RelayChannel | undefined {
    const last = this.isWarm && number === 0 ? this.lastOf(candidates, tried, against) : undefined
    const avoids = against && ((channel: RelayChannel) => against(channel) !== undefined)
    return last ?? chooseChannel(candidates, tried, number, choice ?? bySession(this.session.hash), avoids)
  }

  private lastOf(
    candidates: readonly RelayChannel[],
    tried: ReadonlySet<number>,
    against: Choosing['against'],
  ): RelayChannel | undefined {
    const channel = candidateTable(candidates).byId(this.before?.channelId ?? 0)
    if (channel === undefined) {
      this.why = 'not_available'
      return undefined
    }
    if (tried.has(channel.id)) return undefined
    const reason = against?.(channel)
    if (reason === undefined) return channel
    this.why = reason
    return undefined
  }

  /** The key that the session used last at a channel; undefined where it used none. */
  seedAt(channel: RelayChannel): number | undefined {
    return this.isWarm && this.before?.channelId === channel.id ? this.before.seed : undefined
  }

  /** After a call was sent: `refusals` before it were not answered. */
  trace(channel: RelayChannel, key: string, refusals: number): SessionTrace {
    const trace = this.traced(channel, key, refusals)
    this.moved = trace.state === 'moved'
    return trace
  }

  /** Of a call that another channel answered because the session's own one was slow. The session stays where it is. */
  traceOfRival(): SessionTrace {
    return { id: this.session.id, state: 'moved', why: 'hedged' }
  }

  private traced(channel: RelayChannel, key: string, refusals: number): SessionTrace {
    const { id } = this.session
    if (this.before === undefined) return { id, state: 'cold', why: 'new' }
    if (!this.isWarm) return { id, state: 'cold', why: 'idle' }
    const isSameChannel = this.before.channelId === channel.id
    if (isSameChannel && this.before.seed === seedOfKey(channel, key)) return { id, state: 'hit' }
    if (refusals > 0) return { id, state: 'moved', why: 'refused' }
    if (!isSameChannel) return { id, state: 'moved', why: this.why ?? 'bound' }
    const isThere = channel.ring?.seeds.includes(this.before.seed) === true
    return { id, state: 'moved', why: isThere ? 'key_in_trouble' : 'key_not_available' }
  }

  /** Remembers where the call was answered, at `now` in milliseconds since 1970. */
  answered(channel: RelayChannel, key: string, now: number): void {
    const { id, named } = this.session
    const place = { channelId: channel.id, seed: seedOfKey(channel, key), at: now }
    // Conversations without a name are often single calls: the other nodes find their place by hash.
    this.places.answered(id, this.model, place, named || this.moved)
  }
}
