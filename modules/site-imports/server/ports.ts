import type { LimitChange, VirtualModelChange } from '@tollgate/contract'
import type { Insertable, Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { RankedActor } from '#server/http/actor.ts'
import type { AppError } from '#server/lib/app-error.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { ListedRatios, MovedChannel } from './site.ts'

export interface NewOrganisation {
  readonly name: string
  /** The group of the wallet. */
  readonly group: string
  readonly models: readonly string[]
  /** Unix seconds. */
  readonly createdTime: number
}

export type NewChannelRow = Omit<Insertable<Tables['channels']>, 'id' | 'used_quota'>

/** Ports through which an import writes to other features; the app implements them. */
export interface ImportTarget {
  readonly database: Database
  readonly logDatabase: Database
  readonly secrets: Pick<Secrets, 'encrypt' | 'digest'>
  readonly clock: Clock
  readonly options: {
    /** Saves all or, where one is refused, none; answers the refusals. */
    setAll(
      changes: readonly { readonly key: string; readonly text: string }[],
      actor: RankedActor,
    ): Promise<readonly { readonly key: string; readonly error: AppError }[]>
  }
  quotaPerUnit(): number
  /** The row of a new channel, checked like one that a person saves. Throws AppError. */
  channelRow(channel: MovedChannel, groupExists: (group: string) => boolean): NewChannelRow
  /** The single keys of a channel, in their order. */
  keysOf(type: number, text: string): readonly string[]
  groupExists(group: string): boolean
  /** Stored columns of a token's key. */
  tokenKey(key: string): { readonly key_hash: string; readonly key_cipher: string; readonly key_hint: string }
  /** Hash by which an imported key is found, from its SHA-256 in hex. */
  importedKeyHash(sha256: string): string
  /** Makes an organisation without members, and the user that is its wallet. */
  foundOrganisation(
    trx: Transaction<Tables>,
    organisation: NewOrganisation,
  ): Promise<{ readonly id: number; readonly walletId: number }>
  /** Makes a limit of the site; `used` counts in the window under way. Answers undefined where there is room for none. */
  addLimit(trx: Transaction<Tables>, change: LimitChange, used: number): Promise<number | undefined>
  /** Makes a virtual model. Answers why not where the name is taken or there is room for none. */
  addVirtualModel(trx: Transaction<Tables>, change: VirtualModelChange): Promise<number | 'taken' | 'full'>
  /** Prices of the lists that are in force. */
  listPrices(): Promise<(model: string) => ListedRatios | undefined>
  /** Tells what keeps channels, keys and limits in memory; nothing where no gateway runs in this process. */
  changed(): Promise<void>
}
