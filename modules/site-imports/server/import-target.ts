import { type LimitChange, mostLimits, mostVirtualModels } from '@tollgate/contract'
import { longestChannelName } from '@tollgate/contract/sizes'
import type { Transaction } from 'kysely'
import type { StoredSite } from '#server/app/modules/stored-site.ts'
import { openShippedBook } from '#server/billing/book/shipped-book.ts'
import { createPriceBook, ratiosOf } from '#server/billing/prices.ts'
import type { Tables } from '#server/db/schema.ts'
import { newChannel } from '#server/features/channels/change.ts'
import { keysOf } from '#server/features/channels/texts.ts'
import { channelTypeOf } from '#server/features/channels/types.ts'
import { addLimit, countLimits } from '#server/features/limits/store.ts'
import { insertOrganisation } from '#server/features/organisations/founding.ts'
import { keyColumns } from '#server/features/tokens/change.ts'
import { addVirtualModel, countVirtualModels, isNameTaken } from '#server/features/virtual-models/store.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { importedKeyHashOf } from '#server/lib/security/imported-credentials.ts'
import { compiledLimit } from '#server/limits/compiled-limit.ts'
import { digestOf } from '#server/limits/counter.ts'
import type { ImportTarget } from './ports.ts'
import type { MovedChannel } from './site.ts'

type Parts = Pick<StoredSite, 'database' | 'logDatabase' | 'secrets' | 'clock' | 'options' | 'groups'>

const orNull = (text: string): string | null => (text === '' ? null : text)

const fieldsOf = (channel: MovedChannel) => ({
  name: channel.name.slice(0, longestChannelName),
  type: channel.type,
  status: channel.status,
  models: channel.models,
  group: channel.group,
  other: channel.other,
  base_url: channel.baseUrl,
  openai_organization: orNull(channel.organization),
  test_model: orNull(channel.testModel),
  tag: orNull(channel.tag),
  weight: channel.weight,
  priority: channel.priority,
  auto_ban: channel.autoBan ? 1 : 0,
  model_mapping: orNull(channel.modelMapping),
  status_code_mapping: orNull(channel.statusCodeMapping),
  setting: Object.keys(channel.setting).length === 0 ? null : JSON.stringify(channel.setting),
  param_override: orNull(channel.paramOverride),
})

/** Switched off by the other gateway itself; only a row says so, no form. */
const autoDisabled = 3

/** Under whose name the counts of before stand; no process is called like this, so none overwrites them. */
const countedBefore = 'import'

/** Makes a limit of the site unless there are as many as there may be, with what was used of it already. */
const limitAdder =
  (clock: Clock): ImportTarget['addLimit'] =>
  async (trx: Transaction<Tables>, change: LimitChange, used) => {
    if ((await countLimits(trx, 0)) >= mostLimits) return undefined
    const changed_time = unixSeconds(clock)
    const id = await addLimit(trx, 0, change, changed_time)
    const { window, shape } = compiledLimit({ ...change, id, owner_id: 0, changed_time })
    if (used <= 0 || !window.lasts) return id
    const subject = digestOf(
      shape,
      change.subjects.map(({ value }) => value),
    )
    const row = { limit_id: id, subject, at: window.pieceAt(clock()).at, node: countedBefore, used }
    await trx.insertInto('limit_counts').values(row).execute()
    return id
  }

const virtualModelAdder =
  (clock: Clock): ImportTarget['addVirtualModel'] =>
  async (trx, change) => {
    if (await isNameTaken(trx, change.name, 0)) return 'taken'
    if ((await countVirtualModels(trx)) >= mostVirtualModels) return 'full'
    return addVirtualModel(trx, change, unixSeconds(clock))
  }

/** Prices of the lists alone, whatever the operator has set here. */
const listedPrices = async (options: Parts['options']) => {
  if (!options.get('PriceListsEnabled')) return () => undefined
  const book = createPriceBook({
    modelRatio: {},
    modelPrice: {},
    completionRatio: {},
    cacheRatio: {},
    groupRatio: {},
    quotaPerUnit: options.get('QuotaPerUnit'),
    selfUse: false,
    list: await openShippedBook(),
  })
  return (model: string) => {
    const price = book.of(model, 'default', { acceptsUnpriced: false })
    if (price === undefined) return undefined
    const ratios = ratiosOf(price)
    return {
      model: ratios.model_ratio,
      completion: ratios.completion_ratio,
      cacheRead: ratios.cache_ratio,
      cacheWrite: ratios.cache_creation_ratio,
    }
  }
}

/** This gateway, as another one's database is moved into it. */
export const importTarget = (
  { database, logDatabase, secrets, clock, options, groups }: Parts,
  changed: () => Promise<void>,
): ImportTarget => ({
  database,
  logDatabase,
  secrets,
  clock,
  options,
  quotaPerUnit: () => options.get('QuotaPerUnit'),
  channelRow(channel, groupExists) {
    const parts = { typeOf: channelTypeOf, groupExists, secrets }
    const row = newChannel(fieldsOf(channel), channel.key, channel.createdTime, parts)
    if (channel.status !== autoDisabled) return row
    return { ...row, status: autoDisabled, other_info: channel.otherInfo }
  },
  keysOf,
  groupExists: (group) => groups.exists(group),
  tokenKey: (key) => keyColumns(key, secrets),
  importedKeyHash: importedKeyHashOf,
  foundOrganisation: insertOrganisation,
  addLimit: limitAdder(clock),
  addVirtualModel: virtualModelAdder(clock),
  listPrices: () => listedPrices(options),
  changed,
})
