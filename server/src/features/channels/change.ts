import type { BodyOf, ChannelType, updateChannel } from '@tollgate/contract'
import { channelStatus } from '@tollgate/contract'
import { longestChannelName } from '@tollgate/contract/sizes'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { ChannelRow } from './channel-row.ts'
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
import { keysOf, wordsOf } from './texts.ts'

/** What a client may say of a channel; absent fields stay as they are. */
export type ChannelFields = Omit<BodyOf<typeof updateChannel>, 'id'>

export interface ChangeParts {
  typeOf(type: number): ChannelType | undefined
  groupExists(group: string): boolean
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt' | 'digest'>
}

/** What a channel is before anybody has said anything. */
const blank: Omit<NewChannel, 'created_time' | 'key_cipher' | 'key_hash' | 'key_hint' | 'name' | 'type'> = {
  openai_organization: null,
  max_input_tokens: 0,
  test_model: null,
  status: channelStatus.enabled,
  weight: 0,
  test_time: 0,
  response_time: 0,
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
  given: ChannelFields & { name: string; type: number },
  key: string,
  now: number,
  parts: ChangeParts,
): NewChannel => {
  const name = checkedName(given.name)
  const models = checkedModels(given.models ?? '')
  const base = {
    ...blank,
    ...keyColumns(given.type, key, parts),
    name,
    type: given.type,
    status: given.status === channelStatus.disabled ? channelStatus.disabled : channelStatus.enabled,
    created_time: now,
  }
  const row = { ...base, ...checkedFields({ ...given, other: given.other ?? '', models }, given.type, parts), name }
  assertTypeFits(row, parts)
  return row
}

/** A channel's models after some were added and some removed, in their order. */
export const changedModels = (
  stored: string,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string => [...new Set([...wordsOf(stored), ...add])].filter((name) => !remove.includes(name)).join(',')

/** The columns that an edit changes. Throws the reason when a field cannot be used. */
export const channelChange = (stored: ChannelRow, given: ChannelFields, parts: ChangeParts): ChannelChange => {
  const type = given.type ?? stored.type
  const retyped = type !== stored.type
  const change: ChannelChange = {
    ...checkedFields(retyped ? { ...given, other: given.other ?? stored.other } : given, type, parts),
    ...(retyped ? { type } : {}),
    ...(given.key?.trim() ? keyColumns(type, given.key, parts) : {}),
    ...statusColumn(stored, given.status),
  }
  const touched = retyped || ['other', 'base_url', 'openai_organization'].some((name) => Object.hasOwn(change, name))
  if (touched) assertTypeFits({ ...stored, ...change }, parts)
  return change
}

const assertTypeFits = (
  row: Pick<NewChannel, 'type' | 'other' | 'base_url' | 'openai_organization'>,
  parts: ChangeParts,
): void => {
  const known = parts.typeOf(row.type)
  assertUsableType(row.type, known)
  if (known) assertRequiredFields(known, { ...row, openai_organization: row.openai_organization ?? '' })
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

/** People switch channels on and off; the other states are kept when a whole row is sent back. */
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

/** Each given field in the form in which it is stored. */
const checkedFields = (given: ChannelFields, type: number, parts: ChangeParts): ChannelChange => ({
  ...(given.name === undefined ? {} : { name: checkedName(given.name) }),
  ...(given.models === undefined ? {} : { models: checkedModels(given.models) }),
  ...(given.group === undefined ? {} : { group: checkedGroups(given.group, parts.groupExists) }),
  ...(given.other === undefined ? {} : { other: checkedOther(type, given.other) }),
  ...(given.base_url === undefined ? {} : { base_url: checkedAddress(given.base_url ?? '') }),
  ...(given.openai_organization === undefined ? {} : { openai_organization: orNull(given.openai_organization) }),
  ...(given.max_input_tokens === undefined ? {} : { max_input_tokens: Math.max(0, given.max_input_tokens ?? 0) }),
  ...(given.test_model === undefined ? {} : { test_model: orNull(given.test_model) }),
  ...(given.tag === undefined ? {} : { tag: checkedTag(given.tag) }),
  ...(given.weight === undefined ? {} : { weight: Math.max(0, given.weight ?? 0) }),
  ...(given.priority === undefined ? {} : { priority: given.priority ?? 0 }),
  ...(given.auto_ban === undefined ? {} : { auto_ban: given.auto_ban === 1 ? 1 : 0 }),
  ...(given.model_mapping === undefined ? {} : { model_mapping: checkedModelMapping(given.model_mapping) }),
  ...(given.status_code_mapping === undefined
    ? {}
    : { status_code_mapping: checkedStatusMapping(given.status_code_mapping) }),
  ...(given.setting === undefined ? {} : { setting: checkedSetting(given.setting) }),
  ...(given.param_override === undefined ? {} : { param_override: checkedOverride(given.param_override) }),
})

const checkedName = (text: string): string => {
  const name = text.trim()
  if (name === '') throw new AppError('channel_name_key_required')
  if (name.length > longestChannelName) throw new AppError('invalid_parameter')
  return name
}
