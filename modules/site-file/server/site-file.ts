import { modelCardChange } from '@tollgate/contract'
import { longestChannelName, longestModelName } from '@tollgate/contract/sizes'
import { z } from 'zod'

/** The newest form of site files. */
export const siteFileVersion = 1

const reference = /^\$\{(?:file:[^}]+|[A-Za-z_][A-Za-z0-9_]*)\}$/

/** Reference to a secret: `${NAME}` in the environment, or `${file:path}`. Secrets themselves never stand in a site file. */
export const secretReference = z
  .string()
  .regex(reference, `A secret is written as \${NAME} or \${file:path}, never as itself`)

const text = z.string().max(100_000)
const listed = z.array(z.string().trim().min(1).max(longestModelName)).max(10_000)

const holdsLargeNumber = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && !Number.isSafeInteger(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeNumber)

/** A JSON object as YAML, or its text, which keeps numbers that YAML would round. */
const jsonMap = z
  .union([z.record(z.string(), z.unknown()), text])
  .refine((value) => !holdsLargeNumber(value), 'A number is too large for YAML; write the object as JSON text')
  .default('')

/** A channel. What is absent has its default; an absent key stays as it is. */
export const channelEntry = z.strictObject({
  name: z.string().trim().min(1).max(longestChannelName),
  /** Name of its type, as `GET /api/channel/types` has it, or its number. */
  type: z.union([z.string(), z.int()]),
  key: secretReference.optional(),
  enabled: z.boolean().default(true),
  base_url: text.default(''),
  models: listed.min(1),
  groups: listed.min(1).default(['default']),
  model_mapping: jsonMap,
  priority: z.int().default(0),
  weight: z.int().min(0).default(0),
  tag: text.default(''),
  auto_ban: z.boolean().default(true),
  test_model: text.default(''),
  max_input_tokens: z.int().min(0).default(0),
  openai_organization: text.default(''),
  other: text.default(''),
  status_code_mapping: jsonMap,
  setting: jsonMap,
  param_override: jsonMap,
})
export type ChannelEntry = z.output<typeof channelEntry>

/** Values of options by their names, as booleans, numbers, texts, lists or maps. */
const optionValues = z.record(z.string(), z.unknown())

/** A file that describes a site. A section that is absent says nothing. */
export const siteFile = z.strictObject({
  version: z.literal(siteFileVersion),
  groups: optionValues.optional(),
  prices: optionValues.optional(),
  options: optionValues.optional(),
  channels: z.array(channelEntry).max(10_000).optional(),
  models: z.record(z.string().min(1).max(longestModelName), modelCardChange.strict()).optional(),
  /** Like those of the API, with channels by their names. */
  virtual_models: z
    .array(z.looseObject({ name: z.string().trim().min(1).max(longestModelName) }))
    .max(2000)
    .optional(),
})
export type SiteFile = z.output<typeof siteFile>

/** Sections that hold options; `options` has those of no other. */
export const optionSections = ['groups', 'prices', 'options'] as const
export type OptionSection = (typeof optionSections)[number]
