import type { Database } from '../../db/database.ts'

/** Cost of losing channels in the hours that begin at `from` or later (unix seconds), in quota units. */
export const hedgeCostSince = async ({ query }: Pick<Database, 'query'>, from: number): Promise<number> => {
  const row = await query
    .selectFrom('hedge_hours')
    .select(({ fn }) => fn.sum('cost').as('cost'))
    .where('created_at', '>=', from)
    .executeTakeFirstOrThrow()
  return Number(row.cost ?? 0)
}

interface HedgeSum {
  readonly channel_id: number
  readonly model_name: string
  readonly count: number
  readonly won: number
  readonly cost: number
}

/** The same by channel and model, the dearest first. */
export const hedgeSums = async (
  { query }: Pick<Database, 'query'>,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<HedgeSum[]> => {
  const rows = await query
    .selectFrom('hedge_hours')
    .select(({ fn }) => [
      'channel_id',
      'model_name',
      fn.sum('count').as('count'),
      fn.sum('won').as('won'),
      fn.sum('cost').as('cost'),
    ])
    .where('created_at', '>=', from)
    .groupBy(['channel_id', 'model_name'])
    .orderBy('cost', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count), won: Number(row.won), cost: Number(row.cost) }))
}
