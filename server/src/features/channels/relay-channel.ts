import { type ChannelCost, channelCost, channelHeaders, channelPassthrough, channelStatus } from '@tollgate/contract'
import {
  isCacheMarking,
  isFirstContentLimit,
  isSlotCount,
  isSystemPrompt,
} from '@tollgate/contract/channels/channel-rules'
import type { Selectable } from 'kysely'
import { decimal } from '../../billing/decimal.ts'
import type { ChannelsTable } from '../../db/schema.ts'
import type { Provider } from '../../providers/provider.ts'
import type { KeyRing, RelayChannel } from '../../relay/ports.ts'
import { jsonObject, keysOf, splitList } from './texts.ts'

export type ChannelRow = Selectable<ChannelsTable>

/** The columns that decide how a channel relays; a change of any other column leaves the snapshot alone. */
export type RelayColumns = Pick<
  ChannelRow,
  | 'id'
  | 'type'
  | 'key_cipher'
  | 'openai_organization'
  | 'max_input_tokens'
  | 'status'
  | 'name'
  | 'weight'
  | 'base_url'
  | 'other'
  | 'models'
  | 'group'
  | 'tag'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'priority'
  | 'auto_ban'
  | 'setting'
  | 'param_override'
> & {
  /** Hashes of its keys that are disabled, in order. */
  readonly off_keys: readonly string[]
}

type Digest = (key: string) => string

/** Parses a stored channel once. Texts that are no longer valid JSON count as empty. */
export const toRelayChannel = (
  row: RelayColumns,
  provider: Provider,
  keyText: string,
  digest: Digest,
): RelayChannel => {
  const setting = jsonObject(row.setting) ?? {}
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    provider,
    ...keyParts(keysOf(row.type, keyText), row.off_keys, setting, digest),
    baseUrl: (row.base_url.trim() || provider.baseUrl).replace(/\/+$/, ''),
    organization: row.openai_organization ?? '',
    ...(row.max_input_tokens > 0 ? { maxInputTokens: row.max_input_tokens } : {}),
    other: row.other,
    models: new Set(splitList(row.models)),
    groups: new Set(splitList(row.group)),
    tag: row.tag ?? '',
    priority: row.priority,
    weight: row.weight,
    enabled: row.status === channelStatus.enabled,
    ...(row.status === channelStatus.autoDisabled ? { autoDisabled: true as const } : {}),
    autoBan: row.auto_ban === 1,
    modelMapping: modelMapping(row.model_mapping),
    statusCodeMapping: statusCodeMapping(row.status_code_mapping),
    forceFormat: setting.force_format === true,
    thinkingToContent: setting.thinking_to_content === true,
    proxy: typeof setting.proxy === 'string' ? setting.proxy.trim() : '',
    billsAborted: typeof setting.bills_aborted === 'boolean' ? setting.bills_aborted : provider.billsAborted === true,
    ...(isCacheMarking(setting.cache_marks) ? { cacheMarks: setting.cache_marks } : {}),
    ...(isFirstContentLimit(setting.first_content_seconds)
      ? { firstContentMs: setting.first_content_seconds * 1000 }
      : {}),
    ...(isSlotCount(setting.slots) ? { slots: setting.slots } : {}),
    ...systemPromptOf(setting),
    ...costOf(setting.cost),
    paramOverride: jsonObject(row.param_override),
    ...headersOf(setting.header_override),
    ...passthroughOf(setting.passthrough),
  }
}

/** Cost settings of a channel, which are checked when saved; invalid ones count as absent. */
const costOf = (stored: unknown): { cost?: ChannelCost } => {
  const cost = stored === undefined ? undefined : channelCost.safeParse(stored).data
  return cost === undefined ? {} : { cost }
}

const systemPromptOf = (setting: Readonly<Record<string, unknown>>): Pick<RelayChannel, 'systemPrompt'> => {
  const { system_prompt: text, system_prompt_override: isBefore } = setting
  if (!isSystemPrompt(text) || text.trim() === '') return {}
  return { systemPrompt: { text, beforeOthers: isBefore === true } }
}

const headersOf = (stored: unknown): Pick<RelayChannel, 'headerOverride'> => {
  const headers = stored === undefined ? undefined : channelHeaders.safeParse(stored).data
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return entries.length === 0 ? {} : { headerOverride: new Map(entries) }
}

const passthroughOf = (stored: unknown): Pick<RelayChannel, 'passthrough'> => {
  const permission = stored === undefined ? undefined : channelPassthrough.safeParse(stored).data
  if (permission === undefined) return {}
  const { groups, keys, paths, shared, price } = permission
  const ofCalls = price === undefined ? undefined : decimal(price)
  return { passthrough: { groups: new Set(groups), keys: new Set(keys), paths, shared, price: ofCalls } }
}

/** A number that stands for a key on every node. */
export const seedOf = (keyHash: string): number => Number.parseInt(keyHash.slice(0, 8), 16) >>> 0

/** Of several keys those that are enabled; all where none is, so that a disabled channel can still be tested. */
const keyParts = (
  all: readonly string[],
  off: readonly string[],
  setting: Readonly<Record<string, unknown>>,
  digest: Digest,
): { keys: readonly string[]; ring?: KeyRing } => {
  if (all.length < 2) return { keys: all }
  const entries = all.map((key) => ({ key, hash: digest(key) }))
  const on = entries.filter(({ hash }) => !off.includes(hash))
  const used = on.length === 0 ? entries : on
  return {
    keys: used.map(({ key }) => key),
    ring: {
      rotation: setting.key_rotation === 'round_robin' ? 'round_robin' : 'random',
      affinity: setting.key_affinity !== false,
      seeds: used.map(({ hash }) => seedOf(hash)),
      next: 0,
    },
  }
}

/** The same channel without some of its keys; unchanged when none would be left. */
export const withoutKeys = (channel: RelayChannel, gone: ReadonlySet<string>): RelayChannel => {
  const { ring } = channel
  const kept = [...channel.keys.entries()].filter(([, key]) => !gone.has(key))
  if (ring === undefined || kept.length === 0 || kept.length === channel.keys.length) return channel
  const seeds = kept.map(([index]) => ring.seeds[index] ?? 0)
  return { ...channel, keys: kept.map(([, key]) => key), ring: { ...ring, seeds, next: 0 } }
}

/** The names of a mapping as it is stored; entries without a target say nothing. */
export const modelMapping = (text: string | null): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(jsonObject(text) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    ),
  )

const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 599

const statusCodeMapping = (text: string | null): ReadonlyMap<number, number> =>
  new Map(
    Object.entries(jsonObject(text) ?? {})
      .map(([from, to]) => [Number(from), Number(to)] as const)
      .filter(([from, to]) => isStatus(from) && isStatus(to)),
  )
