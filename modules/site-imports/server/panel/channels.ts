import { channelHeaders } from '@tollgate/contract'
import { isSystemPrompt } from '@tollgate/contract/channels/channel-rules'
import { ownMember } from '@tollgate/contract/own-member'
import { z } from 'zod'
import { openaiAddress } from '../address.ts'
import type { MovedChannel, OpenSiteParts } from '../site.ts'
import { object, readRow, text, whole, wholeOr } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'
import type { TypeHere } from './channel-types.ts'

const channelRow = z.object({
  id: whole,
  type: whole,
  key: text,
  status: wholeOr(1),
  name: text,
  weight: whole,
  created_time: whole,
  base_url: text,
  other: text,
  models: text,
  group: text,
  used_quota: whole,
  model_mapping: text,
  priority: whole,
  // Of new-api.
  open_ai_organization: text,
  test_model: text,
  status_code_mapping: text,
  auto_ban: wholeOr(1),
  other_info: text,
  tag: text,
  setting: object,
  settings: object,
  param_override: object,
  header_override: object,
  channel_info: object,
  remark: text,
  // Of one-api.
  config: object,
  system_prompt: text,
})

type ChannelRow = z.output<typeof channelRow>

const bedrock = 33
const vertex = 41
const cloudflare = 39
const minimax = 35

const keptSettings: ReadonlySet<string> = new Set([
  ...['force_format', 'thinking_to_content', 'proxy', 'system_prompt', 'system_prompt_override'],
])

/** A header whose value stands for more than a text and the channel's key, as new-api has them. */
const isPlainHeader = (value: unknown): boolean =>
  typeof value === 'string' && !/\{(?!api_key\})[^}]*\}/.test(value) && !value.startsWith('re:')

/** The headers of a channel that mean the same here, and the names of the others. */
const headersOf = (headers: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(headers)
  const fits = ([name, value]: [string, unknown]): boolean =>
    /\w/.test(name) && isPlainHeader(value) && channelHeaders.safeParse({ [name]: value }).success
  return {
    kept: Object.fromEntries(entries.filter(fits)),
    left: entries.filter((entry) => !fits(entry)).map(([name]) => `header_override.${name}`),
  }
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '' && value !== 0

const member = (object: Readonly<Record<string, unknown>>, name: string): string => {
  const value = ownMember(object, name)
  return typeof value === 'string' ? value : ''
}

const wholeMember = (object: Readonly<Record<string, unknown>>, name: string): unknown => ownMember(object, name)

/** Names of a channel's fields that this gateway does not have. */
const unusedFields = (row: ChannelRow): readonly string[] => [
  ...Object.entries({ ...row.setting, ...row.settings }).flatMap(([name, value]) =>
    isSet(value) && !keptSettings.has(name) ? name : [],
  ),
  ...headersOf(row.header_override).left,
  ...(row.remark === '' ? [] : ['remark']),
  ...(Array.isArray(wholeMember(row.param_override, 'operations')) ? ['param_override.operations'] : []),
]

const keyStatusOf = (info: Readonly<Record<string, unknown>>): ReadonlyMap<number, number> => {
  const list = z.record(z.string(), z.number()).safeParse(wholeMember(info, 'multi_key_status_list')).data ?? {}
  return new Map(
    Object.entries(list).flatMap(([index, status]): [number, number][] =>
      status === 2 || status === 3 ? [[Number(index), status]] : [],
    ),
  )
}

/** one-api puts its prompt before the client's, new-api only where its setting says so. */
const promptOf = ({ setting, system_prompt: own }: ChannelRow): Readonly<Record<string, unknown>> => {
  const text = member(setting, 'system_prompt')
  const isBefore = text === '' ? own !== '' : setting.system_prompt_override === true
  const prompt = text || own
  if (prompt === '' || !isSystemPrompt(prompt)) return {}
  return { system_prompt: prompt, ...(isBefore ? { system_prompt_override: true } : {}) }
}

const settingOf = (row: ChannelRow): Readonly<Record<string, unknown>> => {
  const { setting, channel_info: info, header_override: headers } = row
  const { kept } = headersOf(headers)
  return {
    ...plainSettings(setting, info),
    ...promptOf(row),
    ...(Object.keys(kept).length === 0 ? {} : { header_override: kept }),
  }
}

const plainSettings = (
  setting: Readonly<Record<string, unknown>>,
  info: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...(setting.force_format === true ? { force_format: true } : {}),
  ...(setting.thinking_to_content === true ? { thinking_to_content: true } : {}),
  ...(member(setting, 'proxy') === '' ? {} : { proxy: member(setting, 'proxy') }),
  ...(wholeMember(info, 'multi_key_mode') === 'polling' ? { key_rotation: 'round_robin' } : {}),
})

/** one-api keeps in `config` what this gateway has in the key or in `other`. */
const keyOf = ({ key, config }: ChannelRow, type: number): string => {
  if (type === bedrock && member(config, 'ak') !== '') {
    return [member(config, 'ak'), member(config, 'sk'), member(config, 'region')].join('|')
  }
  return type === vertex && key.trim() === '' ? member(config, 'vertex_ai_adc') : key
}

const otherOf = ({ other, config }: ChannelRow, type: number): string => {
  if (other.trim() !== '') return other
  if (type === vertex) return member(config, 'region')
  if (type === cloudflare || type === minimax) return member(config, 'user_id')
  return member(config, 'api_version') || member(config, 'plugin') || member(config, 'library_id')
}

const placeOf = (row: ChannelRow, here: TypeHere): { type: number; baseUrl: string } => {
  const baseUrl = row.base_url.trim() || (here.baseUrl ?? '')
  return here.isWithoutVersion === true ? openaiAddress(baseUrl) : { type: here.type, baseUrl }
}

const toChannel =
  ({ notes }: OpenSiteParts, types: ReadonlyMap<number, TypeHere>) =>
  (cells: SourceRow): MovedChannel | undefined => {
    const row = readRow(channelRow, cells, 'channels')
    const here = types.get(row.type)
    if (here === undefined) {
      notes.note('channel_type', `${row.name} (${row.type})`)
      return undefined
    }
    const unused = unusedFields(row)
    if (unused.length > 0) notes.note('channel_fields', `${row.name}: ${unused.join(', ')}`)
    const override = unused.includes('param_override.operations') ? {} : row.param_override
    const { type, baseUrl } = placeOf(row, here)
    return {
      sourceId: String(row.id),
      type,
      name: row.name,
      key: keyOf(row, type),
      keyStatus: keyStatusOf(row.channel_info),
      status: row.status,
      organization: row.open_ai_organization,
      testModel: row.test_model,
      weight: row.weight,
      createdTime: row.created_time,
      baseUrl,
      other: otherOf(row, type),
      models: row.models,
      group: row.group,
      usedQuota: row.used_quota,
      modelMapping: row.model_mapping,
      statusCodeMapping: row.status_code_mapping,
      priority: row.priority,
      autoBan: row.auto_ban !== 0,
      otherInfo: row.other_info,
      tag: row.tag,
      setting: settingOf(row),
      paramOverride: Object.keys(override).length === 0 ? '' : JSON.stringify(override),
    }
  }

export async function* panelChannels(
  parts: OpenSiteParts,
  types: ReadonlyMap<number, TypeHere>,
): AsyncGenerator<readonly MovedChannel[]> {
  for await (const rows of pagesOf(parts.source, 'channels', 'id')) {
    yield rows.map(toChannel(parts, types)).filter((channel) => channel !== undefined)
  }
}
