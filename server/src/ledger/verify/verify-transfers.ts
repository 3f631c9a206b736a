import { isObject, parseObject } from '@tollgate/contract/json'
import type { Database } from '../../db/database.ts'
import type { LedgerEntriesTable } from '../../db/schema.ts'
import type { LedgerDifference } from './difference.ts'
import { type PaidOut, type RecordedHold, WalletAudit, type WalletEntry } from './paid-out.ts'

const pageSize = 1000

/** Milliseconds by which clocks may differ: all processes of a SQLite database have the same one, nodes have one each. */
const toleranceOf = ({ engine }: Pick<Database, 'engine'>): number => (engine === 'sqlite' ? 500 : 2000)

/** Earlier versions noted only the second in which a movement began. */
const secondMs = 1000

type Row = Pick<LedgerEntriesTable, 'movement' | 'amount' | 'reason' | 'created_at' | 'detail'> & {
  readonly id: number
}

/**
 * Finds movements out of a wallet that left less than what calls held at that time, or had been charged and not booked yet. Reads the
 * entries of each wallet that has such movements once.
 */
export const verifyTransfers = async (database: Database): Promise<LedgerDifference[]> => {
  const differences: LedgerDifference[] = []
  for (const [id, movements] of await paidOut(database)) {
    const audit = new WalletAudit(movements, toleranceOf(database))
    for await (const row of entriesOf(database, id)) audit.add(walletEntry(row))
    for (const { movement, left, needed } of audit.shortfalls())
      differences.push({ account: 'user', id, what: 'left for calls', stored: left, computed: needed, movement })
  }
  return differences
}

/** The movements of each wallet that took something which was to be free. */
const paidOut = async ({ query }: Database): Promise<ReadonlyMap<number, readonly PaidOut[]>> => {
  const rows = await query
    .selectFrom('ledger_entries')
    .select(['id', 'account_id', 'movement', 'amount', 'reason', 'created_at', 'detail'])
    .where('account', '=', 'user')
    .where('amount', '<', 0)
    .where('reason', 'not in', ['charge', 'refund', 'correction'])
    .orderBy('id')
    .execute()
  const wallets = new Map<number, PaidOut[]>()
  for (const row of rows) {
    const held = heldIn(row.detail)
    // A debit without a hold is an operator's order, but transfers are never ordered.
    if (held === undefined && row.reason !== 'transfer') continue
    const from = held?.at ?? row.created_at * secondMs
    const to = held === undefined ? from + 2 * secondMs : held.at + held.ms
    const of = wallets.get(row.account_id)
    const one = { entry: row.id, movement: row.movement, from, to }
    if (of === undefined) wallets.set(row.account_id, [one])
    else of.push(one)
  }
  return wallets
}

async function* entriesOf({ query }: Database, userId: number): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const page = await query
      .selectFrom('ledger_entries')
      .select(['id', 'movement', 'amount', 'reason', 'created_at', 'detail'])
      .where('account', '=', 'user')
      .where('account_id', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = page.at(-1)
    if (last === undefined) return
    yield* page
    after = last.id
  }
}

const walletEntry = ({ id, amount, reason, created_at, detail }: Row): WalletEntry => {
  const common = { entry: id, amount, until: created_at * secondMs + secondMs - 1 }
  if (reason !== 'charge') {
    const isHeld = amount < 0 && (reason === 'transfer' || heldIn(detail) !== undefined)
    return { ...common, kind: isHeld ? 'held' : 'other' }
  }
  const call = callIn(detail)
  return { ...common, kind: 'call', ...(call ?? { isFinal: !isEstimated(detail) }) }
}

const callIn = (detail: string): { readonly call: RecordedHold } | undefined => {
  const held = heldIn(detail)
  return held && { call: { quota: held.quota, from: held.at, to: held.at + held.ms } }
}

/** Charges of calls that a crash cut short are estimates, and are dated back to the beginning of their calls. */
const isEstimated = (detail: string): boolean => parseObject(detail).estimated === true

/** The `held` of a receipt, or of the detail of a movement, which names no quota: it held its amount. */
const heldIn = (detail: string): { readonly at: number; readonly ms: number; readonly quota: number } | undefined => {
  // Most details have none, and need not be parsed.
  if (!detail.includes('"held":')) return undefined
  const { held } = parseObject(detail)
  if (!isObject(held)) return undefined
  const { at, ms, quota = 0 } = held
  if (typeof at !== 'number' || typeof ms !== 'number' || typeof quota !== 'number') return undefined
  return { at, ms, quota }
}
