import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Expiry and batches of redemption codes, what an order promised, and what payment gateways said. */
export const walletTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'redemptions', { expired_time: 'count', batch_id: 'key?' })
    await addColumns(on, 'top_ups', {
      quota: 'count',
      payment_method: 'key?',
      merchant_id: 'key?',
      gateway_trade_no: 'key?',
      complete_time: 'count',
    })
    await createTable(on, 'payment_callbacks', {
      columns: {
        id: 'id',
        received_time: 'whole',
        source: 'key',
        ip: 'key',
        trade_no: 'key',
        verified: 'whole',
        outcome: 'key',
        parameters: 'text',
      },
      indexes: [['trade_no'], ['received_time']],
    })
  },
}
