import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  idParams,
  notQuery,
  numberList,
  pageOf,
  pageQuery,
  pageSize,
  sortQuery,
  wordList,
  zeroPageQuery,
} from '../page.ts'

export const channelStatus = { unknown: 0, enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** A channel as the API shows it; `key` is always empty, `key_hint` shows the last four characters of each key. */
export const channel = z.object({
  id: z.int(),
  type: z.int(),
  key: z.string(),
  key_hint: z.string(),
  /** How many keys it has, and how many of them may be used. */
  key_count: z.int(),
  key_enabled: z.int(),
  openai_organization: z.string().nullable(),
  /** Longer prompts go to other channels where there are any; 0 for no limit. */
  max_input_tokens: z.int(),
  test_model: z.string().nullable(),
  status: z.int(),
  name: z.string(),
  weight: z.int(),
  created_time: z.int(),
  test_time: z.int(),
  /** Milliseconds; 0 means never tested. */
  response_time: z.int(),
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  balance_updated_time: z.int(),
  models: z.string(),
  group: z.string(),
  used_quota: z.int(),
  model_mapping: z.string().nullable(),
  status_code_mapping: z.string().nullable(),
  priority: z.int(),
  auto_ban: z.int(),
  other_info: z.string(),
  tag: z.string().nullable(),
  setting: z.string().nullable(),
  param_override: z.string().nullable(),
})
export type Channel = z.output<typeof channel>

const fields = {
  type: z.int(),
  key: z.string(),
  openai_organization: z.string().nullish(),
  max_input_tokens: z.int().nullish(),
  test_model: z.string().nullish(),
  status: z.int(),
  name: z.string(),
  weight: z.int().nullish(),
  base_url: z.string().nullish(),
  other: z.string(),
  models: z.string(),
  group: z.string(),
  model_mapping: z.string().nullish(),
  status_code_mapping: z.string().nullish(),
  priority: z.int().nullish(),
  auto_ban: z.int().nullish(),
  tag: z.string().nullish(),
  setting: z.string().nullish(),
  param_override: z.string().nullish(),
}

const legacyFlag = z
  .string()
  .optional()
  .transform((text) => text === 'true' || text === '1')

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel/',
  access: 'admin',
  summary: 'Channels by priority, page 0 first; with tag_mode all channels of a page of tags',
  query: z.object({ ...zeroPageQuery, page_size: pageSize, id_sort: legacyFlag, tag_mode: legacyFlag }),
  data: z.array(channel),
})

export const searchChannels = endpoint({
  method: 'GET',
  path: '/api/channel/search',
  access: 'admin',
  summary: 'Channels by id, name, key, model and group',
  query: z.object({
    keyword: z.string().default(''),
    group: z.string().default(''),
    model: z.string().default(''),
    id_sort: legacyFlag,
    tag_mode: legacyFlag,
  }),
  data: z.array(channel),
})

export const channelFilter = {
  keyword: z.string().default(''),
  model: z.string().default(''),
  group: wordList,
  status: numberList,
  type: numberList,
  tag: wordList,
  ...notQuery,
}

export const browseChannels = endpoint({
  method: 'GET',
  path: '/api/channel/browse',
  access: 'admin',
  summary: 'A page of channels with total, filters and order',
  query: z.object({
    ...pageQuery,
    ...channelFilter,
    sort: sortQuery([
      'id',
      'name',
      'type',
      'status',
      'response_time',
      'balance',
      'used_quota',
      'priority',
      'weight',
      'created_time',
    ]),
  }),
  data: pageOf(channel),
})

export const getChannel = endpoint({
  method: 'GET',
  path: '/api/channel/:id',
  access: 'admin',
  summary: 'One channel without its key',
  params: idParams,
  data: channel,
})

/** `key` may hold several lines: one channel is made per line, or one with several keys where `keys_together` says so. */
export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channel/',
  access: 'admin',
  summary: 'Creates one channel per line of the key',
  body: z.object({
    ...z.object(fields).partial().shape,
    type: z.int().default(1),
    name: z.string(),
    key: z.string(),
    keys_together: z.boolean().optional(),
  }),
})

/** Absent fields stay as they are; an empty key keeps the stored one. */
export const updateChannel = endpoint({
  method: 'PUT',
  path: '/api/channel/',
  access: 'admin',
  summary: 'Changes a channel',
  body: z.object({ ...z.object(fields).partial().shape, id: z.int().positive() }),
  data: channel,
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/:id',
  access: 'admin',
  summary: 'Deletes a channel',
  params: idParams,
})

/** Channels that are disabled, by people or automatically; answers how many there were. */
export const deleteDisabledChannels = endpoint({
  method: 'DELETE',
  path: '/api/channel/disabled',
  access: 'admin',
  summary: 'Deletes all disabled channels',
  data: z.int(),
})

const someChannelIds = z.array(z.int().positive()).min(1).max(1000)

export const deleteChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch',
  access: 'admin',
  summary: 'Deletes several channels and answers how many there were',
  body: z.object({ ids: someChannelIds }),
  data: z.int(),
})

/** `tag` null or empty takes the tag away. */
export const tagChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/tag',
  access: 'admin',
  summary: 'Gives several channels a tag and answers how many there were',
  body: z.object({ ids: someChannelIds, tag: z.string().nullable() }),
  data: z.int(),
})

export const enableTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/enabled',
  access: 'admin',
  summary: 'Enables all channels of a tag',
  body: z.object({ tag: z.string() }),
})

export const disableTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/disabled',
  access: 'admin',
  summary: 'Disables all channels of a tag',
  body: z.object({ tag: z.string() }),
})

/** Absent, null and empty fields stay as they are, but an empty `new_tag` dissolves the tag. */
export const updateTag = endpoint({
  method: 'PUT',
  path: '/api/channel/tag',
  access: 'admin',
  summary: 'Changes all channels of a tag',
  body: z.object({
    tag: z.string(),
    new_tag: z.string().nullish(),
    model_mapping: z.string().nullish(),
    models: z.string().nullish(),
    groups: z.string().nullish(),
    priority: z.int().nullish(),
    weight: z.int().nullish(),
  }),
})

export const fixChannels = endpoint({
  method: 'POST',
  path: '/api/channel/fix',
  access: 'admin',
  summary: 'Reads all channels again and answers how many there are',
  data: z.int(),
})

export const copyChannel = endpoint({
  method: 'POST',
  path: '/api/channel/copy/:id',
  access: 'admin',
  summary: 'Copies a channel, its key included; the copy starts disabled',
  params: idParams,
  data: channel,
})

/** `time` is beside `data` in the envelope, in seconds, also when the test failed. */
export const testChannel = endpoint({
  method: 'GET',
  path: '/api/channel/test/:id',
  access: 'admin',
  summary: 'Sends a short request through a channel',
  changes: true,
  params: idParams,
  query: z.object({ model: z.string().default('') }),
  beside: z.object({ time: z.number() }),
})

/** Asks a stored channel's upstream for its models. */
export const fetchChannelModels = endpoint({
  method: 'GET',
  path: '/api/channel/fetch_models/:id',
  access: 'admin',
  summary: 'Model names that the upstream of a stored channel offers',
  params: idParams,
  data: z.array(z.string()),
})

/** Asks with an address and key that are not saved yet; an empty key with `id` uses the stored key. */
export const fetchModels = endpoint({
  method: 'POST',
  path: '/api/channel/fetch_models',
  access: 'admin',
  summary: 'Model names that an upstream offers',
  body: z.object({
    base_url: z.string().nullish(),
    type: z.int(),
    key: z.string().default(''),
    id: z.int().optional(),
    proxy: z.string().optional(),
  }),
  data: z.array(z.string()),
})

/** One field that a channel type adds to the form: which column it is stored in and how it is named. */
const typeField = z.object({
  column: z.enum(['other', 'base_url', 'openai_organization']),
  label: z.object({ zh: z.string(), en: z.string() }),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
})

/** A channel type as the console draws it, from the provider's descriptor. */
export const channelType = z.object({
  type: z.int(),
  name: z.string(),
  label: z.object({ zh: z.string(), en: z.string() }),
  color: z.string(),
  base_url: z.string(),
  key_hint: z.object({ zh: z.string(), en: z.string() }),
  /** A warning to read before creating a channel of this type. */
  note: z.object({ zh: z.string(), en: z.string() }).optional(),
  /** Extra form fields of this type. */
  fields: z.array(typeField),
  models: z.array(z.string()),
  lists_models: z.boolean(),
  /** True if its upstream bills calls whose client left before the first byte; a channel can override it. */
  bills_aborted: z.boolean(),
  /** True if its upstream reports a balance. */
  has_balance: z.boolean(),
  /** False while channels of this type cannot relay yet; creation is refused with the reason. */
  relays: z.boolean(),
  reason: z.object({ zh: z.string(), en: z.string() }).optional(),
})
export type ChannelType = z.output<typeof channelType>

export const listChannelTypes = endpoint({
  method: 'GET',
  path: '/api/channel/types',
  access: 'admin',
  summary: 'Channel types in the order of the select',
  data: z.array(channelType),
})

/** An entry of the OpenAI model list. */
export const modelEntry = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  permission: z.array(z.record(z.string(), z.unknown())),
  root: z.string(),
  parent: z.string().nullable(),
})

export const listAllModels = endpoint({
  method: 'GET',
  path: '/api/channel/models',
  access: 'admin',
  summary: 'Every model that any channel type knows',
  data: z.array(modelEntry),
})

export const listEnabledModels = endpoint({
  method: 'GET',
  path: '/api/channel/models_enabled',
  access: 'admin',
  summary: 'Names of the models that enabled channels offer',
  data: z.array(z.string()),
})

/** Channel type → model names. */
export const listModelsByType = endpoint({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  summary: 'Built-in model names of each channel type',
  data: z.record(z.string(), z.array(z.string())),
})
