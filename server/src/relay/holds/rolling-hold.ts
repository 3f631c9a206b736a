import type { Hold, HoldAnswer, Holds } from '../ports.ts'

type Refused = Extract<HoldAnswer, { kind: 'refused' }>

export interface RollingHoldParts {
  readonly holds: Holds
  readonly request: Parameters<Holds['hold']>[0]
  /** The reservation that the call began with. */
  readonly hold: Hold
}

/**
 * The reservations of a stream or a session, which follow what it uses: what is held is always a step ahead of it. Where the
 * balance has no step left, the rest of it is held.
 */
export class RollingHold {
  private readonly parts: RollingHoldParts
  private readonly more: Hold[] = []
  private held: number
  /** Quota units by which what is held is to be ahead of what was used. */
  private step: number
  private over = false

  constructor(parts: RollingHoldParts) {
    this.parts = parts
    this.held = parts.request.amount
    this.step = Math.max(parts.request.amount, 1)
  }

  /** Quota units that are held in all. */
  get amount(): number {
    return this.held
  }

  /** Holds more where that is needed. undefined while what was used is covered. */
  async cover(used: number, step = this.step): Promise<Refused | undefined> {
    if (used === 0 || this.held - used >= step) return undefined
    const refused = await this.reserve(used + 2 * step - this.held)
    if (refused === undefined) return undefined
    const left = Math.floor(refused.remain) - (this.parts.request.spare ?? 0)
    const last = left > 0 && left < refused.need ? await this.reserve(left) : refused
    return used <= this.held ? undefined : { ...(last ?? refused), need: used - this.held }
  }

  /** True if `step` quota units are held beyond the used amount, and will be. */
  isAhead(used: number, step: number): boolean {
    return this.held - used >= step && this.step >= step
  }

  /** Holds `step` quota units beyond the used amount from now on, or no more where they are not available. */
  async keepAhead(used: number, step: number): Promise<Refused | undefined> {
    const lacking = used + step - this.held
    const refused = lacking > 0 ? await this.reserve(lacking) : undefined
    if (refused === undefined) this.step = Math.max(this.step, step)
    return refused
  }

  /** The first one, which the charge takes the place of. */
  get hold(): Hold {
    return this.parts.hold
  }

  /** Gives everything back, but for what the charge took the place of. */
  release(): void {
    this.hold.release()
    this.over = true
    this.releaseMore()
  }

  private releaseMore(): void {
    for (const hold of this.more.splice(0)) hold.release()
  }

  private async reserve(amount: number): Promise<Refused | undefined> {
    const { holds, request } = this.parts
    const answer = await holds.hold({ ...request, amount, more: true })
    if (answer.kind === 'refused') return answer
    this.more.push(answer.hold)
    this.held += amount
    // The call ended meanwhile.
    if (this.over) this.releaseMore()
    return undefined
  }
}
