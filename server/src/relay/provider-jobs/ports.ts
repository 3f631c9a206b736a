import type { HeldCap } from '../ports.ts'
import type { Maker } from '../reader.ts'

/** Payer of a job at a provider, as its charge records it. */
export interface JobOwner {
  readonly username: string
  readonly tokenName: string
  readonly tokenUnlimited: boolean
  readonly group: string
  readonly ip: string
  readonly path: string
  readonly program?: string | undefined
  readonly tags?: string | undefined
  readonly endUser?: string | undefined
  readonly caps?: readonly HeldCap[]
  readonly project?: { readonly id: number; readonly teamId: number; readonly memberId: number }
}

/** Work at a provider that ends later: a batch, a video. It is held for until its charge, or its end without one. */
export interface ProviderJob {
  readonly id: number
  readonly maker: Maker
  readonly owner: JobOwner
  /** Quota units. */
  readonly held: number
}

/** A job with the name of its charge: the same on every node, so that it is charged once. */
export interface ChargedJob extends ProviderJob {
  readonly movement: string
  readonly channelId: number
}

/** Holders of open jobs among all processes, in the database. */
export interface JobHolds {
  /** Says that this process holds what its jobs may cost; answers those of them that are open. */
  holding(ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Open jobs without a hold of any live process; `own` where this process did, before it began anew. */
  unheld(limit: number, own: boolean): Promise<readonly ProviderJob[]>
  /** Takes the hold of a job over; false where another process was quicker. */
  takeOver(id: number, own: boolean): Promise<boolean>
  /** This process holds nothing any more. */
  letGo(): Promise<void>
}
