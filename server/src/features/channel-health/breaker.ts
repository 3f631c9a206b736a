/** Failures in a row after which a channel is skipped for a model. */
const mostInRow = 5
/** Or: this share of at least so many calls within the last minute or so. */
const fewestCalls = 20
const worstShare = 0.5
const halfWindowMs = 30_000
const firstPauseMs = 30_000
const longestPauseMs = 10 * 60_000
/** How long one call may take that tries a channel again before another one may try. */
const trialMs = 60_000
/** Rests that differ by less are the same to everybody. */
export const noticeableMs = 1000

/**
 * Circuit breaker of one model of one channel: it trips after repeated failures, is skipped for a while, lets one trial call through,
 * and closes when that works. Counts in two halves of a window, so that every step is a few additions. Times are milliseconds since
 * 1970, given by the caller.
 */
export class Breaker {
  /** Skipped until then; 0 while all is well. */
  openUntil = 0
  /** Rests after a 429 until then. */
  restsUntil = 0
  private openedAt = 0
  private pauseMs = 0
  private trialUntil = 0
  private inRow = 0
  private halfStartedAt = 0
  private good = 0
  private bad = 0
  private goodBefore = 0
  private badBefore = 0

  /** True while calls are avoided, or until a trial has worked. */
  troubled(now: number): boolean {
    return this.openUntil !== 0 || this.restsUntil > now
  }

  avoided(now: number): boolean {
    if (this.restsUntil > now) return true
    return this.openUntil !== 0 && (this.openUntil > now || this.trialUntil > now)
  }

  /** A call goes there all the same: if the pause is over, it is the one that tries. */
  chosen(now: number): void {
    if (this.openUntil !== 0 && this.openUntil <= now) this.trialUntil = now + trialMs
  }

  /** True when that is noticeably longer than it rests already. */
  rest(until: number): boolean {
    const isLonger = until > this.restsUntil + noticeableMs
    if (until > this.restsUntil) this.restsUntil = until
    return isLonger
  }

  /** A call that began at `beganAt` worked. One that was under way before the trouble says nothing about it. */
  worked(beganAt: number, now: number): void {
    if (now - this.halfStartedAt >= halfWindowMs) this.turn(now)
    this.good += 1
    this.inRow = 0
    if (this.openUntil !== 0 && beganAt >= this.openedAt) this.close()
  }

  /** True when the breaker trips by it. */
  failed(beganAt: number, now: number): boolean {
    if (now - this.halfStartedAt >= halfWindowMs) this.turn(now)
    this.bad += 1
    this.inRow += 1
    if (this.openUntil !== 0) return beganAt >= this.openedAt && this.openUntil <= now && this.trip(now)
    const bad = this.bad + this.badBefore
    const all = bad + this.good + this.goodBefore
    const isBad = this.inRow >= mostInRow || (all >= fewestCalls && bad / all >= worstShare)
    return isBad && this.trip(now)
  }

  /** Another node found out. */
  openedElsewhere(until: number, now: number): void {
    if (until <= this.openUntil || until <= now) return
    this.openUntil = Math.min(until, now + longestPauseMs)
    this.openedAt = now
  }

  /** Takes back that it has tripped, until it is known whether the channel is there. */
  withdraw(): void {
    this.openUntil = 0
    this.inRow = 0
  }

  /** It has tripped after all. */
  reopen(now: number): void {
    this.openUntil = now + this.pauseMs
    this.openedAt = now
  }

  close(): void {
    this.openUntil = 0
    this.restsUntil = 0
    this.pauseMs = 0
    this.trialUntil = 0
    this.inRow = 0
    this.good = 0
    this.bad = 0
    this.goodBefore = 0
    this.badBefore = 0
  }

  private trip(now: number): true {
    this.pauseMs = this.pauseMs === 0 ? firstPauseMs : Math.min(this.pauseMs * 2, longestPauseMs)
    this.openUntil = now + this.pauseMs
    this.openedAt = now
    this.trialUntil = 0
    return true
  }

  /** Begins another half of the window. */
  private turn(now: number): void {
    const isNext = now - this.halfStartedAt < 2 * halfWindowMs
    this.goodBefore = isNext ? this.good : 0
    this.badBefore = isNext ? this.bad : 0
    this.good = 0
    this.bad = 0
    this.halfStartedAt = now
  }
}
