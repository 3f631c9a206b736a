import { receipt } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { recompute } from '../../billing/cost.ts'
import type { Database } from '../../db/database.ts'
import { correctionOf, reversalOf } from '../corrections/effective.ts'
import type { LedgerDifference } from './difference.ts'

const pageSize = 1000

interface Entry {
  readonly id: number
  readonly movement: string
  readonly account_id: number
  readonly amount: number
  readonly detail: string
}

/**
 * Checks each correction: both receipts give their amounts, a reversal takes back exactly the charge that it names, and a
 * reversal and its new charge never stand alone.
 */
export const verifyCorrections = async (
  database: Database,
): Promise<{ count: number; differences: LedgerDifference[] }> => {
  const differences: LedgerDifference[] = []
  let count = 0
  for (let after = 0; ; ) {
    const page = await correctionsAfter(database, after)
    const last = page.at(-1)
    if (last === undefined) return { count, differences }
    after = last.id
    count += page.length
    differences.push(...(await differencesOf(database, page)))
  }
}

const correctionsAfter = ({ query }: Database, after: number): Promise<Entry[]> =>
  query
    .selectFrom('ledger_entries')
    .select(['id', 'movement', 'account_id', 'amount', 'detail'])
    .where('id', '>', after)
    .where('reason', '=', 'correction')
    .orderBy('id')
    .limit(pageSize)
    .execute()

const namesIn = (detail: string): { correction: number; requestId: string; replaces: string; receipt: unknown } => {
  const { correction, request_id, replaces, receipt: found } = parseObject(detail)
  return {
    correction: typeof correction === 'number' ? correction : 0,
    requestId: typeof request_id === 'string' ? request_id : '',
    replaces: typeof replaces === 'string' ? replaces : '',
    receipt: found,
  }
}

const quotaOf = (value: unknown): number | string => {
  const parsed = receipt.safeParse(value)
  if (!parsed.success) return 'no receipt'
  try {
    return recompute(parsed.data)
  } catch (error) {
    return String(error)
  }
}

const differencesOf = async (database: Database, page: readonly Entry[]): Promise<LedgerDifference[]> => {
  const named = page.map((entry) => ({ entry, ...namesIn(entry.detail) }))
  const others = named.flatMap(({ correction, requestId, replaces }) => [
    replaces,
    reversalOf(replaces),
    correctionOf(correction, requestId),
  ])
  const amounts = await amountsOf(database, [...new Set(others)])
  return named.flatMap(({ entry, correction, requestId, replaces, receipt: found }): LedgerDifference[] => {
    const { account_id: id, movement, amount } = entry
    const isReversal = movement === reversalOf(replaces)
    const computed = quotaOf(found)
    const charged = isReversal ? amount : 0 - amount
    const charge = amounts.get(replaces)
    const partner = isReversal ? correctionOf(correction, requestId) : reversalOf(replaces)
    const about = { account: 'user', id, movement } as const
    return [
      ...(computed === charged ? [] : [{ ...about, what: 'receipt', stored: charged, computed }]),
      ...(isReversal && charge !== 0 - amount
        ? [
            {
              ...about,
              what: 'reversed charge',
              stored: amount,
              computed: charge === undefined ? 'missing' : 0 - charge,
            },
          ]
        : []),
      ...(amounts.has(partner)
        ? []
        : [{ ...about, what: 'correction', stored: amount, computed: `${partner} is missing` }]),
    ]
  })
}

const amountsOf = async ({ query }: Database, movements: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await query
    .selectFrom('ledger_entries')
    .select(['movement', 'amount'])
    .where('account', '=', 'user')
    .where('movement', 'in', [...movements])
    .execute()
  return new Map(rows.map(({ movement, amount }) => [movement, amount]))
}
