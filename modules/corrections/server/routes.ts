import {
  applyCorrection,
  cancelCorrection,
  createCorrection,
  exportCorrection,
  getCorrection,
  listCorrections,
} from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { actorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import type { Corrections } from './corrections.ts'
import { correctionFile } from './export.ts'

/** The calls for corrections of prices; `wake` begins the work at once. */
export const correctionRoutes = (
  on: On,
  { corrections, database, wake }: { corrections: Corrections; database: Database; wake(): void },
): void => {
  on(listCorrections, async ({ query }) => ({ data: await corrections.list(query) }))
  on(getCorrection, async ({ params }) => ({ data: await corrections.detail(params.id) }))
  on(createCorrection, async (call) => {
    const data = await corrections.create(actorOf(call), call.body)
    wake()
    return { data }
  })
  on(applyCorrection, async (call) => {
    const data = await corrections.apply(actorOf(call), call.params.id)
    wake()
    return { data }
  })
  on(cancelCorrection, async (call) => ({ data: await corrections.cancel(actorOf(call), call.params.id) }))
  on(exportCorrection, async ({ params, query }) => {
    const { id } = await corrections.detail(params.id)
    const type = query.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
    const parts = correctionFile(database, id, query.format)
    return { file: { name: `correction-${id}.${query.format}`, type, parts } }
  })
}
