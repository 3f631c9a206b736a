/**
 * Accounts, keys and groups as the gateway reads them. The types are here and not in `gateway`, because features implement them and may
 * not import `gateway`.
 */

import { parseObject } from '@tollgate/contract/json'
import type { HeldCap, ProjectOfKey } from './ports.ts'

/** True if a user's stored setting accepts models without a price. Text that is no JSON object accepts none. */
export const acceptsUnpricedModels = (setting: string): boolean =>
  parseObject(setting).accept_unset_model_ratio_model === true

/** The owner of an API key or of a signed-in browser. */
export interface CallerUser {
  readonly id: number
  readonly username: string
  readonly role: number
  /** 1 is enabled; anything else may not call. */
  readonly status: number
  readonly group: string
  /** `accept_unset_model_ratio_model` of the user's settings. */
  readonly acceptsUnpricedModels: boolean
}

/** An API key and its owner, as stored. The gateway checks status, expiry, quota and addresses. */
export interface TokenRecord {
  readonly tokenId: number
  readonly tokenName: string
  /** `abc***xyz`, as refusals show it. */
  readonly keyHint: string
  readonly status: number
  /** Unix seconds; -1 for never. */
  readonly expiredTime: number
  /** Quota units when the record was read; the hold compares the exact balance. */
  readonly remainQuota: number
  readonly unlimited: boolean
  /** undefined means every model; an empty set means none. */
  readonly modelLimits: ReadonlySet<string> | undefined
  /** The token's list as stored: one address or CIDR per line; empty for no restriction. */
  readonly allowIps: string
  /** Empty for the owner's group. */
  readonly group: string
  /** Cost tags, printed (`call-tags.ts`); absent for none. */
  readonly tags?: string
  /** True where its answers state their cost; absent for nearly all. */
  readonly includeCost?: true
  /** True where its calls must state a deadline; absent for nearly all. */
  readonly deadlineOnly?: true
  /** Set for keys of projects. */
  readonly project?: ProjectOfKey
  /** Spending caps of the key's member and project in the windows of a time in milliseconds; absent for none. */
  readonly capsAt?: (now: number) => readonly HeldCap[]
  /** undefined when the owner is gone. */
  readonly user: CallerUser | undefined
}

/** Finds token records by key. `key` is the bare key, without `sk-` and without a forced channel. */
export interface CallerDirectory {
  /**
   * The record of a key: synchronous when cached, otherwise a promise of one read. undefined for a key that does not exist, and without
   * `mayLookUp` (default true) for one that is not cached.
   */
  byKey(key: string, mayLookUp?: boolean): TokenRecord | undefined | Promise<TokenRecord | undefined>
}

/** The record of a key by its id; undefined where it was deleted. */
export type KeyById = (tokenId: number) => Promise<TokenRecord | undefined>

export interface CallerGroups {
  /** Group → description of the groups that users of `userGroup` may use, their own included. */
  usable(userGroup: string): Readonly<Record<string, string>>
  hasRatio(group: string): boolean
}
