import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'

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
  /** Present if its channels may have no key. */
  key_optional: z.literal(true).optional(),
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
