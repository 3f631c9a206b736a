import type { ImportKind } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import type { MovedOption, OpenSite, OpenSiteParts } from '../site.ts'
import { text } from '../source/cells.ts'
import { countOf, noteMissing, nothing, pagesOf } from '../source/source.ts'
import { newApiTypes, oneApiTypes, type TypeHere } from './channel-types.ts'
import { panelChannels } from './channels.ts'
import { panelGroupLimits } from './group-limits.ts'
import { panelLogs } from './logs.ts'
import { autoGroupsOf, plainOptions, readPanelOptions } from './options.ts'
import { type CacheDefaults, priceKeys, priceOptionsOf } from './prices.ts'
import { panelCodes, panelTokens } from './tokens.ts'
import { panelSecondFactors, panelUsers } from './users.ts'
import { type PanelProduct, refuseOtherPanel } from './which-panel.ts'

/** Differences between the two programs with this schema. */
interface Panel {
  readonly product: PanelProduct
  readonly types: ReadonlyMap<number, TypeHere>
  readonly cache: CacheDefaults
  /** Added where the source stored nothing. */
  readonly defaults: readonly MovedOption[]
}

/** Tables that every version has. */
const tables = {
  option: 'options',
  user: 'users',
  token: 'tokens',
  channel: 'channels',
  code: 'redemptions',
  log: 'logs',
} as const

/** Tables of what is moved; later versions alone have authenticators. */
const tablesOfKinds: Readonly<Partial<Record<ImportKind, string>>> = { ...tables, second_factor: 'two_fas' }

/** Tables whose rows stay behind, with the note that says so. */
const leftTables = [
  ['top_ups', 'orders'],
  ['passkey_credentials', 'passkeys'],
  ['two_fa_backup_codes', 'passkeys'],
  ['user_subscriptions', 'subscriptions'],
  ['midjourneys', 'tasks'],
  ['tasks', 'tasks'],
  ['user_oauth_bindings', 'binding_unknown'],
] as const

const groupRow = z.object({ group: text })

const channelModels = z.object({ models: text })

const servedModels = async ({ source }: OpenSiteParts): Promise<ReadonlySet<string>> => {
  const served = new Set<string>()
  for await (const rows of pagesOf(source, 'channels', 'id')) {
    for (const { models } of rows.map((row) => channelModels.parse(row))) {
      for (const model of models.split(',')) if (model.trim() !== '') served.add(model.trim())
    }
  }
  return served
}

const noteUnknownGroups = async (parts: OpenSiteParts, stored: ReadonlyMap<string, string>): Promise<void> => {
  const ratios = stored.get('GroupRatio')
  if (ratios === undefined) return
  const known = parseObject(ratios)
  const unknown = new Set<string>()
  for (const table of ['users', 'tokens']) {
    for await (const rows of pagesOf(parts.source, table, 'id')) {
      for (const { group } of rows.map((row) => groupRow.parse(row))) {
        if (group !== '' && group !== 'auto' && !Object.hasOwn(known, group)) unknown.add(group)
      }
    }
  }
  for (const group of unknown) parts.notes.note('group_unknown', group)
}

const openPanel =
  (panel: Panel): OpenSite =>
  async (parts) => {
    const { source, notes } = parts
    const userColumns = await source.columns('users')
    if (!userColumns.has('username') || !userColumns.has('quota')) {
      throw new Error(`This is no database of ${panel.product}: it has no table "users" with names and quotas.`)
    }
    await refuseOtherPanel(source, panel.product)
    const stored = await readPanelOptions(parts)
    return {
      product: panel.product,
      total: async (kind) => {
        const table = tablesOfKinds[kind]
        return table === undefined ? 0 : countOf(source, table)
      },
      async options() {
        const served = await servedModels(parts)
        await noteUnknownGroups(parts, stored)
        const prices = priceOptionsOf({ stored, notes, served, cache: panel.cache, listed: parts.listed })
        const plain = plainOptions(stored, parts, (key) => priceKeys.has(key))
        const defaults = panel.defaults.filter(({ key }) => !stored.has(key))
        const made = [...prices, ...defaults].map((option) => ({ ...option, made: !stored.has(option.key) }))
        return [...plain, ...made]
      },
      users: () => panelUsers(parts),
      organisations: nothing,
      teams: nothing,
      projects: nothing,
      members: nothing,
      tokens: () => panelTokens(parts, autoGroupsOf(stored)),
      channels: () => panelChannels(parts, panel.types),
      virtualModels: nothing,
      codes: () => panelCodes(parts),
      secondFactors: () => panelSecondFactors(parts),
      limits: () => panelGroupLimits(parts, stored),
      logs: () => panelLogs(parts),
      async noteRest() {
        await noteMissing(parts, Object.values(tables))
        for (const [table, code] of leftTables) {
          const count = await countOf(source, table)
          if (count > 0) notes.note(code, `${table}: ${count}`)
        }
      },
    }
  }

/** new-api, of any version since it parted from one-api. */
export const openNewApi = openPanel({
  product: 'new-api',
  types: newApiTypes,
  cache: { read: undefined, write: 1.25 },
  defaults: [],
})

/** one-api knows neither prices of caches nor groups that users choose for a key. */
export const openOneApi = openPanel({
  product: 'one-api',
  types: oneApiTypes,
  cache: { read: 1, write: undefined },
  defaults: [{ key: 'UserUsableGroups', text: '{}' }],
})
