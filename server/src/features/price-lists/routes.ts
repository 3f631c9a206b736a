import {
  applyPriceVersion,
  discardPriceVersion,
  exportPrices,
  getPriceVersion,
  listPriceVersions,
  listUnpricedModels,
  type PricePreview,
  previewPriceVersion,
  syncPrices,
  undoPriceVersion,
  uploadPrices,
} from '@tollgate/contract'
import type { ListBook } from '../../billing/book/list-price.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Comparison } from './comparison.ts'
import type { ListComparison, PriceLists } from './price-lists.ts'
import type { PriceActor } from './propose.ts'
import { servedByKey, shownChange, shownVersion } from './shown.ts'
import { modelsWithSimilarNames } from './similar-models.ts'
import { exportOf } from './sources/own-export.ts'

export interface PriceListRoutes {
  readonly lists: PriceLists
  readonly comparison: Comparison
  readonly clock: Clock
  /** Names that enabled channels serve. */
  names(): readonly string[]
  /** True if an option sets the price of a model. */
  isOverridden(model: string): boolean
  /** True if an option or a list prices the model. */
  isPriced(model: string): boolean
  /** Effect of another list book on the traffic of the last days. */
  preview(list: ListBook): Promise<PricePreview>
}

const actorOf = (caller: ConsoleCaller, ip: string): PriceActor => ({ id: caller.id, username: caller.username, ip })

const proposal = ({ id, read, changes, leftOut }: ListComparison) => ({
  id,
  read,
  changes: changes.length,
  held: changes.filter(({ decision }) => decision === undefined).length,
  left_out: leftOut,
})

const nothing = { changes: 0, held: 0 }

/** Calls of the price lists in the settings. */
export const priceListRoutes = (on: On, parts: PriceListRoutes): void => {
  const { lists, comparison, clock, names } = parts
  const { store, live } = lists
  const listOf = async () => {
    const row = await store.list(live.present().listId)
    return { name: row?.name ?? '', since: row?.created_at ?? 0 }
  }

  on(listPriceVersions, async () => {
    await lists.refresh()
    const rows = await store.newestVersions()
    const counts = await store.counts(rows.map(({ id }) => id))
    const now = unixSeconds(clock)
    const versions = rows.map((row) => shownVersion(row, counts.get(row.id) ?? nothing, now))
    const compared = versions.find(({ kind }) => kind === 'sync')?.created_at ?? 0
    return { data: { lists: await listOf(), compared_at: compared, versions } }
  })

  on(exportPrices, () => ({
    file: {
      name: 'prices.json',
      type: 'application/json',
      parts: (async function* () {
        yield exportOf(live.source())
      })(),
    },
  }))

  on(listUnpricedModels, ({ query }) => {
    const unpriced = (query.models.length > 0 ? query.models : names()).filter((name) => !parts.isPriced(name))
    return { data: modelsWithSimilarNames(unpriced, live.source(), clock()) }
  })

  on(syncPrices, async ({ body, caller, ip }) => ({
    data: proposal(await comparison.source(body.source, body.address, actorOf(caller, ip))),
  }))

  on(uploadPrices, async ({ body, caller, ip }) => ({
    data: proposal(await comparison.file(body.name, body.packed, actorOf(caller, ip))),
  }))

  on(getPriceVersion, async ({ params }) => {
    const row = await store.version(params.id)
    if (row === undefined) throw new AppError('not_found')
    const changes = await store.changes(row.id)
    const held = changes.filter(({ decision }) => decision === undefined).length
    const served = servedByKey(
      live.source(),
      names().filter((name) => !parts.isOverridden(name)),
    )
    return {
      data: {
        version: shownVersion(row, { changes: changes.length, held }, unixSeconds(clock)),
        changes: changes.map((change) => shownChange(change, served)),
      },
    }
  })

  on(previewPriceVersion, async ({ params, body }) => ({
    data: await parts.preview(await lists.proposedBook(params.id, body.decisions)),
  }))

  on(applyPriceVersion, async ({ params, body, caller, ip }) => {
    await lists.apply(params.id, {
      decisions: body.decisions,
      at: body.effective_from,
      actor: actorOf(caller, ip),
    })
    return {}
  })

  on(discardPriceVersion, async ({ params, caller, ip }) => {
    await lists.discard(params.id, actorOf(caller, ip))
    return {}
  })

  on(undoPriceVersion, async ({ params, caller, ip }) => {
    await lists.undo(params.id, actorOf(caller, ip))
    return {}
  })
}
