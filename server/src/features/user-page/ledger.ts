import type { LedgerEntry, LedgerPage, listUserLedger, QueryOf } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { cappedTotal, mostCounted } from '../../db/capped-total.ts'
import type { EntryRow, LedgerStore } from './ledger-store.ts'

type Query = QueryOf<typeof listUserLedger>

export interface LedgerReader {
  /** Movements of a user's balance. `forOwner` leaves out which admin acted. */
  page(userId: number, query: Query, reader: { forOwner: boolean }): Promise<LedgerPage>
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Shows only the public fields of `detail`; the rest may be a receipt or internal data of the movement. */
const entryOf = (row: EntryRow & { balance: number }, forOwner: boolean): LedgerEntry => {
  const { id, created_at, reason, amount, balance, movement } = row
  const charge = reason === 'charge'
  const detail = charge ? {} : parseObject(row.detail)
  const { by, username, reason: why } = detail
  const showsActor = !forOwner && typeof by === 'number'
  return {
    id,
    created_at,
    reason,
    amount,
    balance,
    movement,
    request_id: charge ? movement : reason === 'correction' ? textOf(detail.request_id) : '',
    actor_id: showsActor ? by : 0,
    actor_name: showsActor ? textOf(username) : '',
    note: textOf(why),
  }
}

/** Reads a user's ledger for the console. */
export const createLedgerReader = (store: LedgerStore): LedgerReader => ({
  async page(userId, { account, reason, before, after, page_size }, { forOwner }) {
    const filter = { account, accountId: userId, reasons: reason }
    const [{ rows, more }, counted] = await Promise.all([
      store.find(filter, { before, after, limit: page_size }),
      store.count(filter, mostCounted + 1),
    ])
    return {
      items: rows.map((row) => entryOf(row, forOwner)),
      ...cappedTotal(counted),
      more,
    }
  },
})
