import type { Asking } from '../../relay/ports.ts'
import { Breaker } from './breaker.ts'
import { plainKind, requestKind } from './request-kind.ts'

/** Failures of one user in a row, or within half a minute, that count against a channel for all. Fewer than trip a breaker. */
const mostOfOneUser = 3
const countedTogetherMs = 30_000
/** A user whom no other has followed for so long is alone there: what fails for this user fails for all. */
const aloneAfterMs = 10 * 60_000
const mostScopes = 256
const mostUsers = 1000

interface Share {
  row: number
  inRow: number
  halfAt: number
  inHalf: number
}

/** Scope of a failure: all calls, those of one kind, or only those of its user. */
export interface Counted {
  /** Everybody's breaker is to count it. */
  readonly forAll: boolean
  /** Breakers of a narrower scope that have tripped by it. */
  readonly tripped: readonly Breaker[]
}

/**
 * Failures that may be the request's own fault: the upstream has answered, with an error that does not say that it is ill. They are counted
 * for each user and each kind of request, so that neither the bad requests of one user nor one kind that an engine cannot take
 * keeps all others away from it. Times are milliseconds since 1970.
 */
export class SuspectFailures {
  private readonly scopes = new Map<string, Breaker>()
  private readonly shares = new Map<number, Share>()
  private row = 0
  private lastUser: number | undefined
  private otherAt = Number.NEGATIVE_INFINITY

  /** A call that did not work is over. */
  seen({ caller: { userId } }: Asking, now: number): void {
    if (this.lastUser !== undefined && this.lastUser !== userId) this.otherAt = now
    this.lastUser = userId
  }

  /** A call worked. */
  worked(asking: Asking, beganAt: number, now: number): void {
    this.seen(asking, now)
    this.row += 1
    if (this.scopes.size === 0) return
    for (const breaker of this.of(asking)) breaker.worked(beganAt, now)
  }

  failed(asking: Asking, beganAt: number, now: number): Counted {
    const { userId } = asking.caller
    const kind = requestKind(asking)
    const own = this.scope(`${userId}|${kind}`)
    const tripped = own.failed(beganAt, now) ? [own] : []
    const counts = now - this.otherAt > aloneAfterMs || this.counts(userId, now)
    if (kind === plainKind) return { forAll: counts, tripped }
    const shared = this.scope(`*|${kind}`)
    if (counts && shared.failed(beganAt, now)) tripped.push(shared)
    return { forAll: false, tripped }
  }

  avoided(asking: Asking, now: number): boolean {
    return this.scopes.size > 0 && this.of(asking).some((breaker) => breaker.avoided(now))
  }

  chosen(asking: Asking, now: number): void {
    if (this.scopes.size === 0) return
    for (const breaker of this.of(asking)) breaker.chosen(now)
  }

  /** Forgets everything; what was avoided is given to `closed`. */
  close(closed: (breaker: Breaker) => void): void {
    for (const breaker of this.scopes.values()) {
      breaker.close()
      closed(breaker)
    }
    this.scopes.clear()
    this.shares.clear()
  }

  troubled(now: number): boolean {
    return [...this.scopes.values()].some((breaker) => breaker.troubled(now))
  }

  private of(asking: Asking): Breaker[] {
    const kind = requestKind(asking)
    return [this.scopes.get(`${asking.caller.userId}|${kind}`), this.scopes.get(`*|${kind}`)].filter(
      (breaker) => breaker !== undefined,
    )
  }

  private scope(name: string): Breaker {
    const known = this.scopes.get(name)
    if (known !== undefined) return known
    const [oldest] = this.scopes.size >= mostScopes ? this.scopes.keys() : []
    if (oldest !== undefined) this.scopes.delete(oldest)
    const fresh = new Breaker()
    this.scopes.set(name, fresh)
    return fresh
  }

  /** True if this failure of a user is among the few that count for others. */
  private counts(userId: number, now: number): boolean {
    const share = this.shares.get(userId) ?? { row: this.row, inRow: 0, halfAt: now, inHalf: 0 }
    if (!this.shares.has(userId)) {
      const [oldest] = this.shares.size >= mostUsers ? this.shares.keys() : []
      if (oldest !== undefined) this.shares.delete(oldest)
      this.shares.set(userId, share)
    }
    if (share.row !== this.row) share.inRow = 0
    if (now - share.halfAt >= countedTogetherMs) {
      share.halfAt = now
      share.inHalf = 0
    }
    share.row = this.row
    share.inRow += 1
    share.inHalf += 1
    return share.inRow <= mostOfOneUser && share.inHalf <= mostOfOneUser
  }
}
