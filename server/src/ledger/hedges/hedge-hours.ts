import type { Transaction } from 'kysely'
import { fitting } from '../../db/column-lengths.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { FinishedCall } from '../../relay/ports.ts'
import { hourOf } from '../apply/call-groups.ts'
import { inChunks } from '../usage/hours.ts'

const place = ['created_at', 'channel_id', 'model_name'] as const

interface Row {
  readonly created_at: number
  readonly channel_id: number
  readonly model_name: string
  count: number
  won: number
  cost: number
}

const order = (left: Row, right: Row): number =>
  left.created_at - right.created_at ||
  left.channel_id - right.channel_id ||
  (left.model_name < right.model_name ? -1 : 1)

/** Adds what losing channels cost to their hours, in the transaction that adds the charges. Most batches have none. */
export const addHedges = async (trx: Transaction<Tables>, records: readonly FinishedCall[]): Promise<void> => {
  const rows = new Map<string, Row>()
  for (const { hedge, at, model } of records) {
    if (hedge === undefined) continue
    const created_at = hourOf(Math.floor(at / 1000))
    const model_name = fitting('hedge_hours', 'model_name', model)
    const name = `${created_at} ${hedge.channelId} ${model_name}`
    const row = rows.get(name) ?? { created_at, channel_id: hedge.channelId, model_name, count: 0, won: 0, cost: 0 }
    row.count += 1
    row.won += hedge.won ? 1 : 0
    row.cost += hedge.cost
    rows.set(name, row)
  }
  if (rows.size === 0) return
  // The same order in every transaction, so that nodes do not lock each other out.
  await inChunks([...rows.values()].sort(order), (some) =>
    upsert(trx, 'hedge_hours', some, { key: place, add: ['count', 'won', 'cost'] }),
  )
}
