import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'

/** Present cost of a request: its charge, or the last correction of it. */
export interface EffectiveCharge {
  readonly movement: string
  readonly userId: number
  /** 0 where no token paid. */
  readonly tokenId: number
  /** Quota units that were charged. */
  readonly quota: number
  /** JSON of the receipt. */
  readonly receipt: string
}

/** Movements of a correction, named so that a charge is reversed once and a request is charged once per correction. */
export const reversalOf = (movement: string): string => `reverse:${movement}`
/** Movement id of the correction of one call. */
export const correctionOf = (correctionId: number, requestId: string): string =>
  `correction:${correctionId}:${requestId}`

/** The `detail` of both entries of a corrected call. */
export interface CorrectionRecord {
  readonly correction: number
  readonly request_id: string
  readonly replaces: string
  readonly receipt: unknown
}

type Read = Kysely<Tables>

/** The present charges of requests; requests without one are left out. Some hundred requests at most. */
export const effectiveCharges = async (
  on: Read,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, EffectiveCharge>> => {
  const charges = await firstCharges(on, requestIds)
  let open = new Map([...charges].map(([id, { movement }]) => [reversalOf(movement), id]))
  while (open.size > 0) {
    const reversals = await entriesOf(on, [...open.keys()])
    const next = new Map<string, string>()
    for (const { movement, detail } of reversals) {
      const id = open.get(movement)
      const { correction } = JSON.parse(detail) as CorrectionRecord
      if (id !== undefined) next.set(correctionOf(correction, id), id)
    }
    const corrected = await entriesOf(on, [...next.keys()])
    open = new Map()
    for (const { movement, amount, detail } of corrected) {
      const id = next.get(movement)
      const before = id === undefined ? undefined : charges.get(id)
      if (id === undefined || before === undefined) continue
      const { receipt } = JSON.parse(detail) as CorrectionRecord
      charges.set(id, { ...before, movement, quota: 0 - amount, receipt: JSON.stringify(receipt) })
      open.set(reversalOf(movement), id)
    }
  }
  return charges
}

const entriesOf = async (on: Read, movements: readonly string[]) =>
  movements.length === 0
    ? []
    : on
        .selectFrom('ledger_entries')
        .select(['movement', 'amount', 'detail'])
        .where('movement', 'in', [...movements])
        .where('account', '=', 'user')
        .execute()

const firstCharges = async (on: Read, ids: readonly string[]): Promise<Map<string, EffectiveCharge>> => {
  if (ids.length === 0) return new Map()
  const rows = await on
    .selectFrom('ledger_entries')
    .select(['movement', 'account', 'account_id', 'amount', 'detail', 'token_id'])
    .where('movement', 'in', [...ids])
    .where('reason', '=', 'charge')
    .execute()
  // Earlier versions wrote the token an entry of its own.
  const tokens = new Map(rows.flatMap((row) => (row.account === 'token' ? [[row.movement, row.account_id]] : [])))
  return new Map(
    rows
      .filter(({ account }) => account === 'user')
      .map(({ movement, account_id, amount, detail, token_id }) => [
        movement,
        {
          movement,
          userId: account_id,
          tokenId: token_id ?? tokens.get(movement) ?? 0,
          quota: 0 - amount,
          receipt: detail,
        },
      ]),
  )
}
