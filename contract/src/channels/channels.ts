import { z } from 'zod'
import { batchResult, batchRows, batchSummary, exactNumbers } from '../batches.ts'
import { endpoint } from '../endpoint.ts'
import { cause } from '../errors/refusal.ts'
import { countEndpoint } from '../facets.ts'
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
import { longestChannelName } from '../sizes.ts'

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
  /** Status of the last test where it failed: the upstream's, or 1 where it gave none; 0 if it worked. */
  test_status: z.int(),
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
  /** Why the server disabled it, as `other_info` says, for the reader; absent where it did not. */
  disabled_cause: cause.optional(),
  tag: z.string().nullable(),
  setting: z.string().nullable(),
  param_override: z.string().nullable(),
})
export type Channel = z.output<typeof channel>

/** The fields that people edit; each may be absent. */
export const channelFields = z
  .object({
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
  })
  .partial()

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
  /** `1` keeps channels that need attention. */
  attention: z.string().default(''),
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

const channelFacets = ['status', 'type', 'group', 'tag'] as const
export type ChannelFacet = (typeof channelFacets)[number]

export const countChannels = countEndpoint({
  path: '/api/channel',
  access: 'admin',
  rows: 'channels',
  facets: channelFacets,
  filter: channelFilter,
})

export const batchChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/run',
  access: 'admin',
  summary: batchSummary('channels'),
  body: z.object({
    which: batchRows({ ...channelFilter, status: exactNumbers, type: exactNumbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      z.object({ kind: z.literal('status'), status: z.literal([1, 2]) }),
      /** Null takes the tag away. */
      z.object({ kind: z.literal('tag'), tag: z.string().max(longestChannelName).nullable() }),
      z.object({ kind: z.literal('priority'), priority: z.int() }),
      z.object({ kind: z.literal('weight'), weight: z.int().min(0) }),
      /** A comma list of groups, in place of those that the channel has. */
      z.object({ kind: z.literal('group'), group: z.string().trim().min(1) }),
    ]),
  }),
  data: batchResult,
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
  summary: 'Creates one channel per line of the key and answers their ids',
  body: z.object({
    ...channelFields.shape,
    type: z.int().default(1),
    name: z.string(),
    key: z.string(),
    keys_together: z.boolean().optional(),
  }),
  data: z.object({ ids: z.array(z.int()) }),
})

/** Absent fields stay as they are; an empty key keeps the stored one. */
export const updateChannel = endpoint({
  method: 'PUT',
  path: '/api/channel/',
  access: 'admin',
  summary: 'Changes a channel',
  body: z.object({ ...channelFields.shape, id: z.int().positive() }),
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
