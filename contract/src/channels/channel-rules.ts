// Rules for the fields of a channel, for the server and the console's form; imports no schema library.

/** How a channel with several keys chooses one: `key_rotation` of its settings; absent is the order of the list. */
export const keyRotations: readonly unknown[] = [undefined, 'random', 'round_robin']

/** Names that the settings of a channel may have. */
export const channelSettings: ReadonlySet<string> = new Set([
  'bills_aborted',
  'cache_marks',
  'cost',
  'first_content_seconds',
  'force_format',
  'header_override',
  'key_affinity',
  'key_rotation',
  'passthrough',
  'proxy',
  'slots',
  'system_prompt',
  'system_prompt_override',
  'thinking_to_content',
])

/** Seconds until the first content of a stream must have come: `first_content_seconds` of the settings. */
export const isFirstContentLimit = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= 86_400

/** How many calls a channel takes at a time, the others waiting for it: `slots` of the settings. */
export const isSlotCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= 100_000

/** Characters of a channel's system prompt: `system_prompt` of the settings. */
export const longestSystemPrompt = 65_536

export const isSystemPrompt = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestSystemPrompt

/** Names that clients of other gateways send; they are kept and change nothing. */
export const foreignChannelSettings: ReadonlySet<string> = new Set([
  'azure_responses_version',
  'pass_through_body_enabled',
])

/**
 * Cache marks that are set for Claude if the client sets none, with the lifetime of the cache: `cache_marks` of a channel's settings,
 * and the option `GroupCacheMarks`.
 */
export const cacheMarkings = ['off', '5m', '1h'] as const
export type CacheMarking = (typeof cacheMarkings)[number]

export const isCacheMarking = (value: unknown): value is CacheMarking =>
  cacheMarkings.some((marking) => marking === value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFigure = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0

const isPrice = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isFigure)

const isDay = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))

const isDiscount = (value: unknown): boolean =>
  isObject(value) && isFigure(value.factor) && isDay(value.from) && isDay(value.to)

/** True if own prices and discounts of a channel have their shape; the server checks names and figures exactly (`channelCost`). */
export const hasCostShape = (value: Readonly<Record<string, unknown>>): boolean => {
  const { models = {}, discounts = [], ...others } = value
  return (
    Object.keys(others).length === 0 &&
    isObject(models) &&
    Object.values(models).every(isPrice) &&
    Array.isArray(discounts) &&
    discounts.every(isDiscount)
  )
}

/** True for an HTTP status from 100 to 599, as a number or as text. */
export const isStatusCode = (value: unknown): boolean => /^[1-5]\d\d$/.test(String(value))

/** Of browsers and of Node; this package has the types of neither. */
declare const URL: new (text: string) => { readonly hostname: string; readonly protocol: string }

const isAddress = (text: string, protocols: readonly string[]): boolean => {
  try {
    const { hostname, protocol } = new URL(text.replaceAll('{model}', 'model'))
    return hostname !== '' && protocols.includes(protocol)
  } catch {
    return false
  }
}

/**
 * The address of a channel as it is stored: trimmed, without a slash at its end, empty for the address of the type.
 * `{model}` may stand in it. Undefined for anything but an http or https address.
 */
export const channelAddress = (text: string): string | undefined => {
  const address = text.trim().replace(/\/+$/, '')
  return address === '' || isAddress(address, ['http:', 'https:']) ? address : undefined
}

/** True for the `proxy` of a channel's settings: an http, https or socks5 address, or nothing. */
export const isChannelProxy = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'string' && isAddress(value, ['http:', 'https:', 'socks5:']))
