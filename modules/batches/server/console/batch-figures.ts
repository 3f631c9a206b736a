import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { beginsWith } from '#server/db/search.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Batch } from '../forms/batch-form.ts'
import { callIdOf } from '../run/line-calls.ts'

/** Requests whose models stand for those of a batch. */
const sampledLines = 20
/** Models of a batch that are shown. */
const mostModels = 8
/** Seconds after the end by which all charges of a batch are in the ledger. */
const settledSeconds = 300

/** Cost and models of batches, as the ledger and the log have them. */
export interface BatchFigures {
  /** Quota units by the number of the row. Adds up the charges of a batch until some time after its end, then reads the sum. */
  costs(batches: readonly Batch[]): Promise<ReadonlyMap<number, number>>
  /** Models of the first requests by the number of the row; none where calls are not logged. */
  models(batches: readonly Batch[]): Promise<ReadonlyMap<number, readonly string[]>>
}

export interface BatchFigureParts {
  readonly database: Database
  readonly logDatabase: Pick<Database, 'query'>
  readonly clock: Clock
}

export const openBatchFigures = ({ database, logDatabase, clock }: BatchFigureParts): BatchFigures => {
  const { query, engine } = database

  /** Charges of the requests of a batch. All engines but PostgreSQL compare keys byte by byte, so that a range finds them. */
  const ofBatch = (batch: Batch): RawBuilder<SqlBool> => {
    const start = `batch-${batch.object_id}-`
    if (engine === 'postgres') return beginsWith('movement', start)
    return sql<SqlBool>`movement > ${start} and movement < ${`batch-${batch.object_id}.`}`
  }

  const charged = async (batch: Batch): Promise<number> => {
    const { amount } = await query
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.sum('amount').as('amount'))
      .where('account', '=', 'user')
      .where('account_id', '=', batch.user_id)
      .where('created_at', '>=', batch.created_time)
      .where(ofBatch(batch))
      .executeTakeFirstOrThrow()
    return -Number(amount ?? 0)
  }

  const costOf = async (batch: Batch): Promise<number> => {
    if (batch.quota !== null) return batch.quota
    const quota = await charged(batch)
    const isSettled = batch.ended_time > 0 && batch.ended_time < unixSeconds(clock) - settledSeconds
    if (isSettled) await query.updateTable('batches').set({ quota }).where('id', '=', batch.id).execute()
    return quota
  }

  return {
    async costs(batches) {
      const costs = new Map<number, number>()
      for (const batch of batches) costs.set(batch.id, await costOf(batch))
      return costs
    },
    async models(batches) {
      const batchOf = new Map(
        batches.flatMap((batch) => {
          const lines = Array.from({ length: Math.min(sampledLines, batch.total) }, (_, index) => index + 1)
          return lines.map((line) => [callIdOf(batch, line), batch.id] as const)
        }),
      )
      const found = new Map<number, Set<string>>(
        batches.map(({ id, model }) => [id, new Set(model === '' ? [] : [model])]),
      )
      if (batchOf.size > 0) {
        const rows = await logDatabase.query
          .selectFrom('logs')
          .select(['request_id', 'model_name'])
          .where('request_id', 'in', [...batchOf.keys()])
          .execute()
        for (const { request_id: request, model_name: model } of rows)
          if (model !== '') found.get(batchOf.get(request) ?? 0)?.add(model)
      }
      return new Map([...found].map(([id, models]) => [id, [...models].slice(0, mostModels)]))
    },
  }
}
