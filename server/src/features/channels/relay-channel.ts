import type { Provider } from '../../providers/provider.ts'
import type { RelayChannel } from '../../relay/ports.ts'
import type { ChannelRow } from './store.ts'
import { jsonObject, keysOf, wordsOf } from './texts.ts'

/** The columns that decide how a channel relays; a change of any other column leaves the snapshot alone. */
export type RelayColumns = Pick<
  ChannelRow,
  | 'id'
  | 'type'
  | 'key_cipher'
  | 'openai_organization'
  | 'status'
  | 'name'
  | 'weight'
  | 'base_url'
  | 'other'
  | 'models'
  | 'group'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'priority'
  | 'auto_ban'
  | 'setting'
  | 'param_override'
>

/** Parses a stored channel once. Texts that are no longer valid JSON count as empty, as relay reference §3.3 and §4.3 say. */
export const toRelayChannel = (row: RelayColumns, provider: Provider, keyText: string): RelayChannel => {
  const setting = jsonObject(row.setting) ?? {}
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    provider,
    keys: keysOf(row.type, keyText),
    baseUrl: (row.base_url.trim() || provider.baseUrl).replace(/\/+$/, ''),
    organization: row.openai_organization ?? '',
    other: row.other,
    models: new Set(wordsOf(row.models)),
    groups: new Set(wordsOf(row.group)),
    priority: row.priority,
    weight: row.weight,
    enabled: row.status === 1,
    autoBan: row.auto_ban === 1,
    modelMapping: modelMapping(row.model_mapping),
    statusCodeMapping: statusCodeMapping(row.status_code_mapping),
    forceFormat: setting.force_format === true,
    thinkingToContent: setting.thinking_to_content === true,
    proxy: typeof setting.proxy === 'string' ? setting.proxy.trim() : '',
    paramOverride: jsonObject(row.param_override),
  }
}

const modelMapping = (text: string | null): ReadonlyMap<string, string> =>
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
