import { receipt } from '@tollgate/contract'
import { recompute } from '../../billing/cost.ts'
import type { Database } from '../../db/database.ts'
import type { LedgerDifference } from './difference.ts'

const pageSize = 1000

interface Charge {
  readonly id: number
  readonly movement: string
  readonly account_id: number
  readonly amount: number
  readonly detail: string
}

/**
 * Recomputes each charge from its receipt. Entries of spending caps, and those of tokens from earlier versions, are compared with their user's.
 */
export const verifyCharges = async (
  database: Database,
): Promise<{ count: number; differences: LedgerDifference[] }> => {
  const differences: LedgerDifference[] = []
  let count = 0
  for (let after = 0; ; ) {
    const page = await chargesAfter(database, after)
    const last = page.at(-1)
    if (last === undefined) return { count, differences: [...differences, ...(await tokenChargesAlone(database))] }
    count += page.length
    after = last.id
    differences.push(...page.flatMap(receiptDifference), ...(await tokenDifferences(database, page)))
  }
}

const chargesAfter = (database: Database, after: number): Promise<Charge[]> =>
  database.query
    .selectFrom('ledger_entries')
    .select(['id', 'movement', 'account_id', 'amount', 'detail'])
    .where('id', '>', after)
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .orderBy('id')
    .limit(pageSize)
    .execute()

const receiptDifference = (charge: Charge): LedgerDifference[] => {
  const computed = recomputed(charge.detail)
  if (computed === -charge.amount || (computed === undefined && charge.amount === 0)) return []
  const { account_id: id, movement, amount } = charge
  return [{ account: 'user', id, what: 'receipt', stored: 0 - amount, computed: computed ?? 'no receipt', movement }]
}

/** undefined when the detail is not a receipt; an error text when its figures give no charge, or another one. */
const recomputed = (detail: string): number | string | undefined => {
  try {
    const parsed = receipt.safeParse(JSON.parse(detail))
    if (!parsed.success) return undefined
    const quota = recompute(parsed.data)
    return quota === parsed.data.quota ? quota : `${quota}, which its receipt states as ${parsed.data.quota}`
  } catch (error) {
    return String(error)
  }
}

const tokenDifferences = async (database: Database, charges: readonly Charge[]): Promise<LedgerDifference[]> => {
  const amounts = new Map(charges.map(({ movement, amount }) => [movement, amount]))
  const ofTokens = await database.query
    .selectFrom('ledger_entries')
    .select(['movement', 'account', 'account_id', 'amount'])
    .where('account', 'in', ['token', 'cap'])
    .where('movement', 'in', [...amounts.keys()])
    .execute()
  return ofTokens
    .filter(({ movement, amount }) => amounts.get(movement) !== amount)
    .map(({ movement, account, account_id: id, amount }) => ({
      account,
      id,
      what: 'charge of user',
      stored: 0 - amount,
      computed: 0 - (amounts.get(movement) ?? 0),
      movement,
    }))
}

/** Every charge has an entry of its user, so a token's entry never stands alone. */
const tokenChargesAlone = async (database: Database): Promise<LedgerDifference[]> => {
  const alone = await database.query
    .selectFrom('ledger_entries as t')
    .leftJoin('ledger_entries as u', (join) => join.onRef('u.movement', '=', 't.movement').on('u.account', '=', 'user'))
    .select(['t.movement', 't.account_id', 't.amount'])
    .where('t.account', '=', 'token')
    .where('t.reason', '=', 'charge')
    .where('u.id', 'is', null)
    .execute()
  return alone.map(({ movement, account_id: id, amount }) => ({
    account: 'token',
    id,
    what: 'charge of user',
    stored: 0 - amount,
    computed: 'missing',
    movement,
  }))
}
