import type { SessionMove } from '@tollgate/contract'
import type { RelayChannel } from '../ports.ts'
import { candidateTable } from '../routing/candidate-tiers.ts'
import { seedOfKey } from '../routing/key-choice.ts'
import { chooseChannel, type TierChoice } from '../routing/plan.ts'
import { bySession } from './rendezvous.ts'
import type { Session } from './session-of.ts'
import type { SessionPlace, SessionPlaces } from './session-places.ts'

/** Reason to avoid a channel or key for this call. */
export type AgainstChannel = 'in_trouble' | 'at_limit' | 'nothing_left' | 'too_long' | 'below_cost'

/** Session routing of a call, for its record. */
export interface SessionTrace {
  readonly id: string
  readonly state: 'hit' | 'moved' | 'cold' | 'stopped'
  /** Reason for another channel or key than the last; absent for the same. */
  readonly why?: SessionMove
}

/**
 * Milliseconds without a call after which a session returns to the place of its hash: by then the provider's cache is cold everywhere
 * (Anthropic caches for five minutes, OpenAI for five to ten).
 */
export const warmMs = 600_000

export interface Choosing {
  readonly candidates: readonly RelayChannel[]
  readonly tried: ReadonlySet<number>
  /** Number of the attempt, from 0. */
  readonly number: number
  /** Reason to avoid a channel; undefined where there are none for any. */
  readonly against: ((channel: RelayChannel) => AgainstChannel | undefined) | undefined
  /** Choice for a session without a warm cache; by its hash where absent. */
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

  /** The session's last channel while its cache is warm and it may be used; otherwise by hash. */
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

  /** Seed of the session's last key at a channel; undefined for none. */
  seedAt(channel: RelayChannel): number | undefined {
    return this.isWarm && this.before?.channelId === channel.id ? this.before.seed : undefined
  }

  /** Trace of a sent call, after `refusals` of other channels. */
  trace(channel: RelayChannel, key: string, refusals: number): SessionTrace {
    const trace = this.traced(channel, key, refusals)
    this.moved = trace.state === 'moved'
    return trace
  }

  /** Trace of a call that the hedge channel answered. The session stays on its own channel. */
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

  /** Notes the answering channel and key at `now` (milliseconds since 1970). */
  answered(channel: RelayChannel, key: string, now: number): void {
    const { id, named } = this.session
    const place = { channelId: channel.id, seed: seedOfKey(channel, key), at: now }
    // Unnamed conversations are often single calls: other nodes find their place by hash.
    this.places.answered(id, this.model, place, named || this.moved)
  }
}
