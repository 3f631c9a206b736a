import { type ChannelType, channelCost, channelHeaders, channelPassthrough, type ErrorCode } from '@tollgate/contract'
import {
  channelAddress,
  channelSettings,
  foreignChannelSettings,
  isCacheMarking,
  isChannelProxy,
  isFirstContentLimit,
  isSlotCount,
  isStatusCode,
  isSystemPrompt,
  keyRotations,
} from '@tollgate/contract/channels/channel-rules'
import { longestModelName } from '@tollgate/contract/sizes'
import { AppError } from '../../lib/app-error.ts'
import { mappingLoop } from '../../relay/routing/model-mapping.ts'
import { modelMapping } from './relay-channel.ts'
import { jsonObject, keysOf, splitList, vertexType } from './texts.ts'

/** Xunfei Spark stores an API version in `other`. */
const xunfeiType = 18
const xunfeiVersion = 'v2.1'

/** Trimmed, without a trailing slash; http(s) only. Throws `channel_address_invalid`. */
export const checkedAddress = (text: string): string => {
  const address = channelAddress(text)
  if (address === undefined) throw new AppError('channel_address_invalid')
  return address
}

/** A comma list of model names; at least one. */
export const checkedModels = (text: string): string => {
  const names = splitList(text)
  if (names.length === 0) throw new AppError('channel_models_required')
  const tooLong = names.find((name) => Buffer.byteLength(name) > longestModelName)
  if (tooLong !== undefined) throw new AppError('channel_model_too_long', { params: { model: tooLong } })
  return names.join(',')
}

/** A comma list of existing groups; `default` when empty. Throws `group_unknown`. */
export const checkedGroups = (text: string, exists: (group: string) => boolean): string => {
  const groups = splitList(text)
  const unknown = groups.find((group) => !exists(group))
  if (unknown !== undefined) throw new AppError('group_unknown', { params: { group: unknown } })
  return groups.length === 0 ? 'default' : groups.join(',')
}

/** An optional JSON object: null when empty; throws `code` when it is anything else or `fits` says no. */
const checkedObject = (
  text: string | null,
  code: ErrorCode,
  fits: (value: Readonly<Record<string, unknown>>) => boolean = () => true,
): string | null => {
  if (text === null || text.trim() === '') return null
  const value = jsonObject(text)
  if (value === undefined || !fits(value)) throw new AppError(code)
  return text.trim()
}

export const checkedModelMapping = (text: string | null): string | null => {
  const mapping = checkedObject(text, 'channel_mapping_invalid', (names) =>
    Object.values(names).every((target) => typeof target === 'string'),
  )
  const loop = mappingLoop(modelMapping(mapping))
  if (loop !== undefined) throw new AppError('channel_mapping_loop', { params: { loop: loop.join(' → ') } })
  return mapping
}

/** Status code → status code, 100 to 599 on both sides, as numbers or as text. */
export const checkedStatusMapping = (text: string | null): string | null =>
  checkedObject(text, 'channel_status_mapping_invalid', (mapping) =>
    Object.entries(mapping).every(([from, to]) => isStatusCode(from) && isStatusCode(to)),
  )

export const checkedOverride = (text: string | null): string | null => checkedObject(text, 'channel_override_invalid')

/** Throws for names that nothing reads, unless they are stored already or other gateways have them: most are mistyped. */
const assertKnownSettings = (setting: string | null, stored: string | null): void => {
  const kept = new Set(Object.keys(jsonObject(stored) ?? {}))
  const unknown = Object.keys(jsonObject(setting) ?? {}).filter(
    (name) => !channelSettings.has(name) && !foreignChannelSettings.has(name) && !kept.has(name),
  )
  if (unknown.length === 0) return
  const params = { names: unknown.join(', '), known: [...channelSettings].join(', ') }
  throw new AppError('channel_setting_unknown', { params })
}

/**
 * Extra settings in place of `stored` ones; names that other gateways have are kept, a `proxy` must be an address that the
 * network part understands.
 */
export const checkedSetting = (text: string | null, stored: string | null = null): string | null => {
  const setting = checkedObject(text, 'channel_setting_invalid')
  assertKnownSettings(setting, stored)
  if (!isChannelProxy(jsonObject(setting)?.proxy)) throw new AppError('channel_proxy_invalid')
  if (!keyRotations.includes(jsonObject(setting)?.key_rotation)) throw new AppError('channel_rotation_invalid')
  const bills = jsonObject(setting)?.bills_aborted
  if (bills !== undefined && typeof bills !== 'boolean') throw new AppError('channel_bills_aborted_invalid')
  const marks = jsonObject(setting)?.cache_marks
  if (marks !== undefined && !isCacheMarking(marks)) throw new AppError('channel_cache_marks_invalid')
  const { first_content_seconds: patience, slots } = jsonObject(setting) ?? {}
  if (patience !== undefined && !isFirstContentLimit(patience)) throw new AppError('channel_first_content_invalid')
  if (slots !== undefined && !isSlotCount(slots)) throw new AppError('channel_slots_invalid')
  const { system_prompt: prompt, system_prompt_override: isBefore } = jsonObject(setting) ?? {}
  const isPrompt = prompt === undefined || isSystemPrompt(prompt)
  if (!isPrompt || (isBefore !== undefined && typeof isBefore !== 'boolean'))
    throw new AppError('channel_system_prompt_invalid')
  const cost = jsonObject(setting)?.cost
  if (cost !== undefined && !channelCost.safeParse(cost).success) throw new AppError('channel_cost_invalid')
  const { header_override: headers, passthrough } = jsonObject(setting) ?? {}
  if (headers !== undefined && !channelHeaders.safeParse(headers).success) throw new AppError('channel_headers_invalid')
  if (passthrough !== undefined && !channelPassthrough.safeParse(passthrough).success) {
    throw new AppError('channel_passthrough_invalid')
  }
  return setting
}

/** Value of `other`, whose meaning depends on the type. */
export const checkedOther = (type: number, text: string): string => {
  const other = text.trim()
  if (type === xunfeiType && other === '') return xunfeiVersion
  if (type === vertexType) assertRegion(other)
  return other
}

const assertRegion = (other: string): void => {
  if (other === '') throw new AppError('channel_region_required')
  const regions = jsonObject(other)
  if (regions && !('default' in regions)) throw new AppError('channel_region_default')
}

/** Throws unless channels of this type can relay; the reason is the type's own. */
export const assertUsableType = (type: number, channelType: ChannelType | undefined): void => {
  if (channelType?.relays === true) return
  const label = channelType?.label ?? { zh: String(type), en: String(type) }
  const reason = channelType?.reason ?? { zh: '未知的渠道类型', en: 'unknown channel type' }
  throw new AppError('channel_type_unusable', {
    params: { type: label.zh, type_en: label.en, reason: reason.zh, reason_en: reason.en },
  })
}

/** Throws when a field that the type asks for is empty. */
export const assertRequiredFields = (
  type: ChannelType,
  filled: Readonly<Record<ChannelType['fields'][number]['column'], string>>,
): void => {
  const missing = type.fields.find((field) => field.required === true && filled[field.column].trim() === '')
  if (!missing) return
  throw new AppError('channel_field_required', { params: { field: missing.label.zh, field_en: missing.label.en } })
}

/** The end of each key, enough to recognise it. */
export const keyHint = (type: number, text: string): string => {
  if (type === vertexType) return projectOf(text)
  const ends = keysOf(type, text).map(endOf)
  return ends.slice(0, 5).join(' ') + (ends.length > 5 ? ` +${ends.length - 5}` : '')
}

/** The last four characters of a key; nothing of a short one. */
export const endOf = (key: string): string => (key.length < 12 ? '…' : `…${key.slice(-4)}`)

/** A service account is recognised by its project. */
const projectOf = (text: string): string => {
  const project = jsonObject(text)?.project_id
  return typeof project === 'string' ? project.slice(0, 60) : '…'
}
