/** Reservations: synchronous in memory, asynchronous when several nodes share them. */
export interface Holds {
  hold(request: HoldRequest): HoldAnswer | Promise<HoldAnswer>
}

/** A spending cap in the window in which a call began. */
export interface HeldCap {
  /** Its account in the ledger, one per cap and window. */
  readonly id: number
  /** Owner of the cap. */
  readonly of: 'member' | 'project'
}

export interface HoldRequest {
  readonly userId: number
  /** 0 for none. */
  readonly tokenId: number
  /** True if the token is known to be unlimited; looked up in the ledger when absent. */
  readonly tokenUnlimited?: boolean
  /** Spending caps that count the call; absent for none. */
  readonly caps?: readonly HeldCap[] | undefined
  /** Quota units, ≥ 0. */
  readonly amount: number
  /** Quota units that must be available beyond the amount; negative where an overdraft is tolerated; 0 when absent. */
  readonly spare?: number
  /** True for more of a hold that was granted already: it may also be taken where nothing but an overdraft is left. */
  readonly more?: boolean
}

export type HoldAnswer =
  | { readonly kind: 'held'; readonly hold: Hold }
  | {
      readonly kind: 'refused'
      readonly account: 'user' | 'token' | 'cap'
      readonly remain: number
      readonly need: number
      /** The cap that refused; absent for other accounts. */
      readonly cap?: HeldCap
    }

export interface Hold {
  /** Quota units of the hold at its beginning. */
  readonly quota: number
  /** Releases the reservation. Once; harmless after its call was recorded. */
  release(): void
}
