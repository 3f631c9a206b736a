import { createHash } from 'node:crypto'
import type { CompiledLimit } from './compiled-limit.ts'
import type { CounterExchange, Lease, StoredUse, UsedPiece } from './limit-store.ts'
import { UsePieces } from './use-pieces.ts'

/** Digest of the values whose calls are counted: of the length of any database key, even for long model names. */
export const digestOf = (shape: string, values: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([shape, values]))
    .digest('base64url')

/** Milliseconds that a store keeps what does not end. */
const longestKept = 40 * 86_400_000
const shortestKept = 60_000
/** Milliseconds after which every process has noticed that the store is out of reach. */
const drainMs = 2000
/** Milliseconds that a clock may go back where it is measured anew. */
const jitterMs = 1000

/** Use and remaining lease of one limit for one subject in this process. */
export class Counter {
  compiled: CompiledLimit
  /** Values of the subjects. */
  readonly values: readonly string[]
  readonly digest: string
  readonly name: string
  /** False until the store has answered for this window. */
  isReady = false
  /** True once the sums of the database were read, for counts that outlast a restart. */
  isLoaded = false
  /** Milliseconds since 1970 of the last refusal by the store. */
  refusedAt = 0
  /** Amount that waiting calls need in addition to the reserved one. */
  waiting = 0
  /** The running exchange. */
  asking: Promise<void> | undefined
  /** Use since the last renewal of leases. */
  recent = 0
  /** Use of others, rest for all, and number of processes, by the store's last answer. */
  others = 0
  left = 0
  nodes = 1
  /** Use of other processes in the database, until the store has it. */
  stored: readonly StoredUse[] | undefined
  /** Use of this process. */
  private readonly uses = new UsePieces()
  private reserved = 0
  /** Upper bound of used and `reserved` together. */
  private ceiling = 0
  /** Amount that left the rolling window since the last lease: this process may use it again while the store is unreachable. */
  private freed = 0
  private ownAsked = -1
  /** The present piece counts from `begin` until `end`. */
  private begin = Number.NEGATIVE_INFINITY
  private end = -1

  constructor(compiled: CompiledLimit, values: readonly string[]) {
    this.compiled = compiled
    this.values = values
    this.digest = digestOf(compiled.shape, values)
    this.name = `${compiled.limit.id}:${this.digest}`
  }

  get most(): number {
    return this.compiled.limit.amount
  }

  /** Beginning of the piece in which calls are counted now. */
  get piece(): number {
    return this.uses.at
  }

  /** True if `amount` more is allowed without asking; `hasFallenBack` for a call that this limit has sent to another model. */
  fits(amount: number, now: number, hasFallenBack = false): boolean {
    if (now >= this.end || now < this.begin) this.roll(now)
    const { refuses, fallsBack } = this.compiled
    if (!this.isReady) return false
    return !refuses || (hasFallenBack && fallsBack) || this.uses.own + this.reserved + amount <= this.ceiling
  }

  /** Reserves an amount that `fits`; returns the piece in which it counts. */
  reserve(amount: number): number {
    this.reserved += amount
    this.recent += amount
    return this.uses.at
  }

  /** Replaces a reserved amount by the used one. */
  settle(amount: number, use: number, at: number): void {
    const { window } = this.compiled
    // Reservations of a fixed window end with it.
    const { uses } = this
    if (at !== uses.at && !window.rolls) return
    this.reserved -= amount
    if (use === 0) return
    if (at === uses.at) uses.addNow(use, window.lasts)
    else if (at >= window.since(uses.at)) uses.addTo(at, use)
  }

  /** Counts use without a reservation. */
  add(use: number, now: number): void {
    if (now >= this.end || now < this.begin) this.roll(now)
    this.recent += use
    if (use !== 0) this.uses.addNow(use, this.compiled.window.lasts)
  }

  /** Removes the latest used unit, if any. */
  takeBack(now: number): void {
    if (now >= this.end || now < this.begin) this.roll(now)
    this.uses.takeBack()
  }

  /** The pieces inside the window with this process's use. */
  get pieces(): readonly UsedPiece[] {
    return this.uses.pieces
  }

  /** Sets another amount or action. */
  change(compiled: CompiledLimit): void {
    if (compiled.limit.amount !== this.most || compiled.refuses !== this.compiled.refuses) {
      this.ceiling = Math.min(this.ceiling, this.uses.own + this.reserved)
    }
    this.compiled = compiled
  }

  private roll(now: number): void {
    const { uses } = this
    const { window } = this.compiled
    const { at, end } = window.pieceAt(now)
    if (at === uses.at) return
    const isFirst = uses.at === -1
    uses.begin(at)
    if (window.rolls) {
      const gone = uses.dropBefore(window.since(now))
      this.ceiling -= gone
      this.freed += gone
    } else if (!isFirst) {
      this.isReady = false
      this.refusedAt = 0
      uses.clear()
      this.reserved = 0
      this.ceiling = 0
      this.others = 0
      this.left = this.most
    }
    // A clock that was set back beyond its jitter begins an earlier window. In a rolling one the piece continues.
    this.begin = window.rolls ? Number.NEGATIVE_INFINITY : at - jitterMs
    this.end = end
  }

  /** Request to the store; from then on no more is used than it requests. */
  exchange(spare: number, now: number): CounterExchange {
    if (now >= this.end || now < this.begin) this.roll(now)
    const { compiled, stored, uses } = this
    const reserved = this.reserved + this.waiting
    this.ownAsked = uses.own
    this.ceiling = Math.min(this.ceiling, uses.own + reserved + spare)
    const ends = compiled.window.freeAt(uses.at) - now
    return {
      counter: this.name,
      most: this.most,
      since: compiled.window.since(Math.max(now, uses.at)),
      used: uses.pieces,
      reserved,
      spare,
      ...(stored === undefined ? {} : { stored }),
      keepMs: Math.min(longestKept, Math.max(shortestKept, ends)),
    }
  }

  /** Takes the lease for an exchange in which this process had used `own`. */
  grant(lease: Lease, asked: CounterExchange, ownThen: number): void {
    // The window may have begun anew since.
    if (asked.since !== this.compiled.window.since(this.uses.at) && !this.compiled.window.rolls) return
    const dropped = this.compiled.window.rolls ? ownThen - this.uses.stillCounted(asked.used) : 0
    this.ceiling = ownThen - dropped + lease.granted
    this.others = lease.others
    this.left = lease.left
    this.nodes = Math.max(1, lease.nodes)
    this.freed = 0
    this.isReady = true
  }

  /** Takes the stored use of other processes; it is sent to the store once. */
  load(stored: readonly StoredUse[]): void {
    this.stored = stored
    this.isLoaded = true
    if (!this.isReady) this.others = stored.reduce((sum, [, , used]) => sum + used, 0)
  }

  /**
   * Sets the share of this process while the store is unreachable: a window that begins then gets an equal share of the rest among the
   * `nodes` last known. Running calls have no window that begins: they are reduced to their share at once, and raised to it after the
   * others had `drainMs` to reduce theirs.
   */
  share(nodes: number, aloneMs: number): void {
    const hasBegun = this.isReady || this.uses.own + this.reserved > 0
    const part = Math.floor(Math.max(0, this.most - this.others) / Math.max(nodes, this.nodes))
    if (!hasBegun || (this.compiled.limit.window === 'now' && aloneMs >= drainMs)) this.ceiling = part
    else if (this.compiled.limit.window === 'now') this.ceiling = Math.min(this.ceiling, part)
    this.ceiling += this.freed
    this.freed = 0
    this.isReady = true
  }

  /** False where the store knows all that is to be known, and has given nothing away. */
  get isDue(): boolean {
    return (this.isReady && this.recent + this.reserved + this.spare > 0) || this.uses.own !== this.ownAsked
  }

  /** The store has lost what this process has used. */
  sayAgain(): void {
    this.ownAsked = -1
  }

  get usedHere(): number {
    return this.uses.own
  }

  /** Use of all processes, as far as this one knows. */
  get usedByAll(): number {
    return this.uses.own + this.others
  }

  /** Left for this process now, and for others. */
  leftAt(now: number): number {
    if (now >= this.end || now < this.begin) this.roll(now)
    if (!this.compiled.refuses) return Math.max(0, this.most - this.uses.own - this.others - this.reserved)
    return Math.min(this.most, this.spare + this.left)
  }

  /** Milliseconds since 1970 at which all that was used here is free again. */
  freeAt(): number {
    const { window } = this.compiled
    if (!window.rolls) return window.freeAt(this.uses.at)
    const { latest } = this.uses
    return latest === undefined ? this.end : window.freeAt(latest)
  }

  /** Milliseconds since 1970 at which `amount` is free; of a rolling window, as far as this process knows its pieces. */
  freeFor(amount: number, now: number): number {
    const { window } = this.compiled
    if (!window.rolls) return window.freeAt(this.uses.at)
    let missing = amount - this.leftAt(now)
    for (const [at, use] of this.pieces.toSorted(([one], [other]) => one - other)) {
      missing -= use
      if (missing <= 0) return window.freeAt(at)
    }
    return this.uses.own === 0 ? now + (this.end - this.uses.at) : this.freeAt()
  }

  /** True where nothing of it is used, reserved or wanted. */
  isIdle(now: number): boolean {
    if (now >= this.end || now < this.begin) this.roll(now)
    const { uses } = this
    return uses.own + this.reserved + this.waiting === 0 && uses.isSaved && this.asking === undefined
  }

  /** Free units that this process has without using them. */
  get spare(): number {
    return Math.max(0, this.ceiling - this.uses.own - this.reserved)
  }

  /** Takes the use that is not in the database yet; each is taken once. */
  takeUnsaved(): readonly UsedPiece[] {
    return this.uses.takeUnsaved()
  }

  /** The database did not take them. */
  giveBackUnsaved(rows: readonly UsedPiece[]): void {
    this.uses.giveBackUnsaved(rows)
  }
}
