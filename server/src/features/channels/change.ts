import { type BodyOf, type ChannelType, channelStatus, type updateChannel } from '@tollgate/contract'
import { longestChannelName } from '@tollgate/contract/sizes'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { ChannelRow } from './relay-channel.ts'
import {
  assertRequiredFields,
  assertUsableType,
  checkedAddress,
  checkedGroups,
  checkedModelMapping,
  checkedModels,
  checkedOther,
  checkedOverride,
  checkedSetting,
  checkedStatusMapping,
  keyHint,
} from './rules.ts'
import type { ChannelChange, NewChannel } from './store.ts'
import { keysOf, splitList } from './texts.ts'

/** The editable fields of a channel; absent fields stay unchanged. */
export type ChannelFields = Omit<BodyOf<typeof updateChannel>, 'id'>

export interface ChangeParts {
  typeOf(type: number): ChannelType | undefined
  groupExists(group: string): boolean
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt' | 'digest'>
}

/** Defaults of a new channel. */
const blank: Omit<NewChannel, 'created_time' | 'key_cipher' | 'key_hash' | 'key_hint' | 'name' | 'type'> = {
  openai_organization: null,
  max_input_tokens: 0,
  test_model: null,
  status: channelStatus.enabled,
  weight: 0,
  test_time: 0,
  response_time: 0,
  test_status: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: '',
  group: 'default',
  model_mapping: null,
  status_code_mapping: null,
  priority: 0,
  auto_ban: 1,
  other_info: '',
  tag: null,
  setting: null,
  param_override: null,
}

/** The row of a new channel; `key` may hold several lines. Throws the reason when a field cannot be used. */
export const newChannel = (
  fields: ChannelFields & { name: string; type: number },
  key: string,
  now: number,
  parts: ChangeParts,
): NewChannel => {
  const name = checkedName(fields.name)
  const models = checkedModels(fields.models ?? '')
  const base = {
    ...blank,
    ...keyColumns(fields.type, key, parts),
    name,
    type: fields.type,
    status: fields.status === channelStatus.disabled ? channelStatus.disabled : channelStatus.enabled,
    created_time: now,
  }
  const row = { ...base, ...checkedFields({ ...fields, other: fields.other ?? '', models }, fields.type, parts), name }
  assertTypeFits(row, parts)
  return row
}

/** A channel's models after some were added and some removed, in their order. */
export const changedModels = (
  stored: string,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string => [...new Set([...splitList(stored), ...add])].filter((name) => !remove.includes(name)).join(',')

/** The columns that an edit changes. Throws the reason when a field cannot be used. */
export const channelChange = (stored: ChannelRow, fields: ChannelFields, parts: ChangeParts): ChannelChange => {
  const type = fields.type ?? stored.type
  const retyped = type !== stored.type
  const change: ChannelChange = {
    ...checkedFields(
      retyped ? { ...fields, other: fields.other ?? stored.other } : fields,
      type,
      parts,
      stored.setting,
    ),
    ...(retyped ? { type } : {}),
    ...(fields.key?.trim() ? keyColumns(type, fields.key, parts) : {}),
    ...statusColumn(stored, fields.status),
  }
  const touched = retyped || ['other', 'base_url', 'openai_organization'].some((name) => Object.hasOwn(change, name))
  if (touched) assertTypeFits({ ...stored, ...change }, parts)
  return change
}

const assertTypeFits = (
  row: Pick<NewChannel, 'type' | 'other' | 'base_url' | 'openai_organization'>,
  parts: ChangeParts,
): void => {
  const channelType = parts.typeOf(row.type)
  assertUsableType(row.type, channelType)
  if (channelType) assertRequiredFields(channelType, { ...row, openai_organization: row.openai_organization ?? '' })
}

export const keyColumns = (
  type: number,
  key: string,
  { secrets }: { readonly secrets: Pick<Secrets, 'encrypt' | 'digest'> },
): Pick<NewChannel, 'key_cipher' | 'key_hash' | 'key_hint'> => {
  const text = keysOf(type, key).join('\n')
  return {
    key_cipher: secrets.encrypt('channel_key', text),
    key_hash: secrets.digest('channel_key', text),
    key_hint: keyHint(type, text),
  }
}

/** Clients may set enabled or disabled only; sending back the stored status changes nothing. */
const statusColumn = (stored: ChannelRow, status: number | undefined): { status?: number } => {
  if (status === undefined || status === stored.status) return {}
  if (status !== channelStatus.enabled && status !== channelStatus.disabled) throw new AppError('invalid_parameter')
  return { status }
}

/** A trimmed tag, or null for none. */
export const checkedTag = (text: string | null): string | null => {
  if ((text?.length ?? 0) > longestChannelName) throw new AppError('invalid_parameter')
  return orNull(text)
}

const orNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim())

/** Each given field in the form in which it is stored; `storedSetting` is what it replaces. */
const checkedFields = (
  fields: ChannelFields,
  type: number,
  parts: ChangeParts,
  storedSetting: string | null = null,
): ChannelChange => ({
  ...(fields.name === undefined ? {} : { name: checkedName(fields.name) }),
  ...(fields.models === undefined ? {} : { models: checkedModels(fields.models) }),
  ...(fields.group === undefined ? {} : { group: checkedGroups(fields.group, parts.groupExists) }),
  ...(fields.other === undefined ? {} : { other: checkedOther(type, fields.other) }),
  ...(fields.base_url === undefined ? {} : { base_url: checkedAddress(fields.base_url ?? '') }),
  ...(fields.openai_organization === undefined ? {} : { openai_organization: orNull(fields.openai_organization) }),
  ...(fields.max_input_tokens === undefined ? {} : { max_input_tokens: Math.max(0, fields.max_input_tokens ?? 0) }),
  ...(fields.test_model === undefined ? {} : { test_model: orNull(fields.test_model) }),
  ...(fields.tag === undefined ? {} : { tag: checkedTag(fields.tag) }),
  ...(fields.weight === undefined ? {} : { weight: Math.max(0, fields.weight ?? 0) }),
  ...(fields.priority === undefined ? {} : { priority: fields.priority ?? 0 }),
  ...(fields.auto_ban === undefined ? {} : { auto_ban: fields.auto_ban === 1 ? 1 : 0 }),
  ...(fields.model_mapping === undefined ? {} : { model_mapping: checkedModelMapping(fields.model_mapping) }),
  ...(fields.status_code_mapping === undefined
    ? {}
    : { status_code_mapping: checkedStatusMapping(fields.status_code_mapping) }),
  ...(fields.setting === undefined ? {} : { setting: checkedSetting(fields.setting, storedSetting) }),
  ...(fields.param_override === undefined ? {} : { param_override: checkedOverride(fields.param_override) }),
})

const checkedName = (text: string): string => {
  const name = text.trim()
  if (name === '') throw new AppError('channel_name_key_required')
  if (name.length > longestChannelName) throw new AppError('invalid_parameter')
  return name
}
