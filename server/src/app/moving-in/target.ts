import { longestChannelName } from '@tollgate/contract/sizes'
import { newChannel } from '../../features/channels/change.ts'
import { keysOf } from '../../features/channels/texts.ts'
import { channelTypeOf } from '../../features/channels/types.ts'
import type { ImportTarget } from '../../features/site-imports/ports.ts'
import type { MovedChannel } from '../../features/site-imports/site.ts'
import { keyColumns } from '../../features/tokens/change.ts'
import { importedKeyHashOf } from '../../lib/security/imported-key.ts'
import type { SharedParts } from '../parts.ts'

type Parts = Pick<SharedParts, 'database' | 'logDatabase' | 'secrets' | 'clock' | 'options' | 'groups'>

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
  changed,
})
