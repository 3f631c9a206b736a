import type { RelayChannel } from './channels.ts'
import type { HeldCap } from './holds.ts'

/** The channels that a key may use, by its organisation, team and project. */
export interface KeyChannelFence {
  fits(channel: Pick<RelayChannel, 'id' | 'tag'>): boolean
  /** The allowed channels of a list of the snapshot; the same result object for the same list. */
  within(channels: readonly RelayChannel[]): readonly RelayChannel[]
}

/** Organisation, team and project of a key. */
export interface ProjectOfKey {
  readonly id: number
  readonly teamId: number
  /** The person who uses the key; 0 for a machine. */
  readonly memberId: number
  /**
   * Present where someone other than the member may know the key's secret; for a machine, where the person who created it has lost
   * access to the project.
   */
  readonly isShared?: true
  /** The channels that it may use; absent for all. */
  readonly channels?: KeyChannelFence
}

/** The API key (or the playground's session) behind a call; cached. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly userGroup: string
  readonly acceptsUnpricedModels: boolean
  /** 0 in the playground. */
  readonly tokenId: number
  readonly tokenName: string
  /** Beginning and end of the key, as errors show it; undefined in the playground. */
  readonly keyHint?: string
  readonly tokenUnlimited: boolean
  /** Group the call is routed and billed in. */
  readonly group: string
  /** undefined means every model. */
  readonly modelLimits: ReadonlySet<string> | undefined
  /** Set for keys of projects; absent for all others. */
  readonly project?: ProjectOfKey
  /** Cost tags of the key, printed (`call-tags.ts`); absent for none. */
  readonly tags?: string
  /** True where answers to the key state their cost, whatever the call requests; absent otherwise. */
  readonly includeCost?: true
  /** True where calls of the key must state a deadline; absent otherwise. */
  readonly deadlineOnly?: true
  /** Spending caps of its member and project, in the windows in which the call began; absent for none. */
  readonly caps?: readonly HeldCap[]
  /** Channel id forced by an admin's key suffix. */
  readonly forcedChannel: number | undefined
}
