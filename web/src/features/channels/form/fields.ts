import type { BodyInputOf, Channel, ChannelType, createChannel } from '../../../lib/api/contract.ts'
import { changedMembers } from '../../../lib/changed-members.ts'
import { joinCost, splitCost } from './cost/cost-text.ts'
import { joinDirect, splitDirect } from './direct-text.ts'

/** The values of the channel form; numbers are text while they are typed. */
export interface ChannelValues {
  type: number
  name: string
  baseUrl: string
  key: string
  batch: boolean
  /** All keys of a batch in one channel, instead of a channel for each. */
  together: boolean
  other: string
  organization: string
  groups: string[]
  models: string[]
  mapping: string
  tag: string
  priority: string
  weight: string
  /** Empty for no limit. */
  maxInput: string
  setting: string
  /** Factor of list prices; empty for 1. */
  costFactor: string
  /** JSON of the channel's own prices and discounts. */
  costPrices: string
  override: string
  /** JSON of headers that every request gets. */
  headers: string
  /** Direct calls of the provider: who may make them, which, and their price. */
  rawGroups: string[]
  rawKeys: string
  rawPaths: string
  rawPrice: string
  rawShared: boolean
  testModel: string
  autoBan: boolean
  statusMapping: string
}

/** Service accounts of Vertex AI are JSON, several lines each. */
export const vertexType = 41
const xunfeiType = 18
const xunfeiVersion = 'v2.1'
const openaiType = 1

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** A new channel has type 1, group default, priority and weight 0, and is disabled automatically on failures. */
export const newChannel: ChannelValues = {
  type: openaiType,
  name: '',
  baseUrl: '',
  key: '',
  batch: false,
  together: false,
  other: '',
  organization: '',
  groups: ['default'],
  models: [],
  mapping: '',
  tag: '',
  priority: '0',
  weight: '0',
  maxInput: '',
  setting: '',
  costFactor: '',
  costPrices: '',
  override: '',
  headers: '',
  rawGroups: [],
  rawKeys: '',
  rawPaths: '',
  rawPrice: '',
  rawShared: false,
  testModel: '',
  autoBan: true,
  statusMapping: '',
}

/** Form fields that are read from the settings. */
const settingValues = (setting: string) => {
  const { rawGroups, ...direct } = splitDirect(setting)
  return { ...direct, rawGroups: [...rawGroups], ...splitCost(direct.setting) }
}

export const valuesOf = (channel: Channel): ChannelValues => ({
  type: channel.type,
  name: channel.name,
  baseUrl: channel.base_url,
  key: '',
  batch: false,
  together: false,
  other: channel.other,
  organization: channel.openai_organization ?? '',
  groups: listOf(channel.group),
  models: listOf(channel.models),
  mapping: channel.model_mapping ?? '',
  tag: channel.tag ?? '',
  priority: String(channel.priority),
  weight: String(channel.weight),
  maxInput: channel.max_input_tokens > 0 ? String(channel.max_input_tokens) : '',
  ...settingValues(channel.setting ?? ''),
  override: channel.param_override ?? '',
  testModel: channel.test_model ?? '',
  autoBan: channel.auto_ban === 1,
  statusMapping: channel.status_code_mapping ?? '',
})

/** The body that creates; an edit adds its id. A trailing slash of the address is dropped. */
export const bodyOf = (values: ChannelValues): BodyInputOf<typeof createChannel> => ({
  type: values.type,
  name: values.name.trim(),
  base_url: values.baseUrl.trim().replace(/\/+$/, ''),
  key: values.key.trim(),
  ...(values.batch && values.together ? { keys_together: true } : {}),
  other: values.type === xunfeiType && values.other.trim() === '' ? xunfeiVersion : values.other.trim(),
  openai_organization: values.organization.trim(),
  group: values.groups.join(','),
  models: values.models.join(','),
  model_mapping: values.mapping.trim(),
  tag: values.tag.trim(),
  priority: Number(values.priority),
  weight: Number(values.weight),
  max_input_tokens: Number(values.maxInput),
  setting: joinDirect({ ...values, setting: joinCost(values) }).trim(),
  param_override: values.override.trim(),
  test_model: values.testModel.trim(),
  auto_ban: values.autoBan ? 1 : 0,
  status_code_mapping: values.statusMapping.trim(),
})

/**
 * Only the fields that the user changed. Sending unchanged ones would undo changes that others made while the form was
 * open.
 */
export const changesOf = (channel: Channel, values: ChannelValues): Partial<BodyInputOf<typeof createChannel>> =>
  changedMembers(bodyOf(valuesOf(channel)), bodyOf(values))

/** Keys of a batch: one per line that is not empty, each once. */
export const keysOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

/** The field that a type stores in a column, where it has one of its own. */
export const fieldOf = (type: ChannelType | undefined, column: ChannelType['fields'][number]['column']) =>
  type?.fields.find((field) => field.column === column)

/** Adds a comma list of names. `exists` when one of them is there already: then nothing is added. */
export const addModels = (models: readonly string[], text: string): { models: string[]; exists: boolean } => {
  const names = [...new Set(listOf(text.replaceAll('，', ',')))]
  const exists = names.some((name) => models.includes(name))
  return { models: exists ? [...models] : [...models, ...names], exists }
}
