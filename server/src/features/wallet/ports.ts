import type { LogText, PayMethod } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Actor } from '../../http/actor.ts'
import type { Movements } from '../../ledger/movements.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

/** Payer; the group decides the price. */
export interface Payer extends Actor {
  readonly group: string
}

/** The options that decide about payments. */
export interface WalletSettings {
  readonly PayAddress: string
  readonly EpayId: string
  readonly EpayKey: string
  readonly PayMethods: readonly PayMethod[]
  readonly CustomCallbackAddress: string
  readonly ServerAddress: string
  readonly Price: number
  readonly MinTopUp: number
  readonly TopupGroupRatio: Readonly<Record<string, number>>
  readonly QuotaPerUnit: number
  readonly DisplayInCurrencyEnabled: boolean
}

export interface WalletParts {
  readonly database: Database
  readonly ledger: Pick<Movements, 'move'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  settings(): WalletSettings
  /** Reads an address of the gateway, which an operator typed; throws when it does not answer. */
  askGateway(url: string): Promise<string>
  /** Writes a line into a user's log; it must not fail. */
  writeEvent(event: { userId: number; username: string; text: LogText }): Promise<void>
  /** Quota as log rows write it, e.g. `＄1.000000 额度`. */
  amountText(quota: number): string
  readonly clock: Clock
  readonly log: Log
}
