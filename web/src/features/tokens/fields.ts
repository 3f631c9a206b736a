import {
  longestTokenModels,
  longestTokenNameBytes,
  mostTokensAtOnce,
  tokenSuffixLength,
} from '@tollgate/contract/sizes'
import { type BodyInputOf, type createToken, mostTags, neverExpires, type Token } from '../../lib/api/contract.ts'
import { changedMembers } from '../../lib/changed-members.ts'
import { printTags, readTags } from '../../lib/text/cost-tags.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { timeZone } from '../../lib/time/time-zone.ts'
import { readPicked } from '../../lib/time/written-moment.ts'
import type { SayToken } from './messages.ts'

export const expirySpans = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const

/** `2026-11-20 20:14:01` in the chosen zone; empty for never. */
export const printExpiry = (unixSeconds: number, zone = timeZone()): string =>
  unixSeconds === neverExpires || unixSeconds === 0 ? '' : formatDateTime(unixSeconds, zone)

/** Unix seconds of `yyyy-MM-dd HH:mm:ss` in the chosen zone; −1 for never (empty or `-1`); undefined when it is no date. */
export const readExpiry = (text: string, zone = timeZone()): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === String(neverExpires)) return neverExpires
  return readPicked(trimmed, zone)
}

/** The values of the token form. */
export interface TokenValues {
  name: string
  expiry: string
  quota: number
  unlimited: boolean
  count: number
  ips: string
  limited: boolean
  models: string[]
  /** Empty means the user's own group. */
  group: string
  /** `organisation:project` that pays; empty for the own wallet. */
  payer: string
  /** Cost tags, one a line. */
  tags: string
  /** Answers say what they cost. */
  includeCost: boolean
  /** Calls without a deadline are refused. */
  deadlineOnly: boolean
}

/** Presets in currency, and counts of keys to make at once. */
export const countPresets = [1, 10, 20, 30, 100] as const

export const newToken: TokenValues = {
  name: '',
  expiry: '',
  quota: 500_000,
  unlimited: true,
  count: 1,
  ips: '',
  limited: false,
  models: [],
  group: '',
  payer: '',
  tags: '',
  includeCost: false,
  deadlineOnly: false,
}

export const valuesOf = (token: Token): TokenValues => ({
  name: token.name,
  expiry: printExpiry(token.expired_time),
  quota: token.remain_quota,
  unlimited: token.unlimited_quota,
  count: 1,
  ips: token.allow_ips,
  limited: token.model_limits_enabled,
  models: token.model_limits.split(',').filter(Boolean),
  group: token.group,
  payer: '',
  tags: printTags(token.tags),
  includeCost: token.include_cost,
  deadlineOnly: token.deadline_only,
})

/** The body of both calls; `expired_time` in unix seconds. */
export const bodyOf = (values: TokenValues): BodyInputOf<typeof createToken> => ({
  name: values.name.trim(),
  expired_time: readExpiry(values.expiry) ?? -1,
  remain_quota: values.quota,
  unlimited_quota: values.unlimited,
  model_limits_enabled: values.limited,
  model_limits: values.models.join(','),
  allow_ips: values.ips.trim(),
  group: values.group,
  tags: readTags(values.tags, mostTags) ?? {},
  include_cost: values.includeCost,
  deadline_only: values.deadlineOnly,
})

/**
 * Only the fields that the user changed. Sending unchanged ones would undo changes of others, above all a balance that
 * calls have charged since.
 */
export const changesOf = (token: Token, values: TokenValues): Partial<BodyInputOf<typeof createToken>> => {
  const before = valuesOf(token)
  const { tags: _, ...changed } = changedMembers(bodyOf(before), bodyOf(values))
  return values.tags === before.tags ? changed : { ...changed, tags: bodyOf(values).tags ?? {} }
}

type Check<K extends keyof TokenValues> = (value: TokenValues[K], values: TokenValues) => string | null

/** Rules of the form. */
export const tokenRules = (
  say: SayToken,
  creating: boolean,
): {
  name: Check<'name'>
  expiry: Check<'expiry'>
  count: Check<'count'>
  models: Check<'models'>
  tags: Check<'tags'>
} => ({
  name: (value, { count }) => {
    if (value.trim() === '') return say('nameRequired')
    const max = creating && count > 1 ? longestTokenNameBytes - 1 - tokenSuffixLength : longestTokenNameBytes
    return new TextEncoder().encode(value.trim()).length > max ? say('nameTooLong', { max }) : null
  },
  tags: (value) => (readTags(value, mostTags) === undefined ? say('tagsInvalid') : null),
  expiry: (value) => (readExpiry(value) === undefined ? say('expiryInvalid') : null),
  count: (value) => {
    if (!creating) return null
    if (!Number.isInteger(value) || value < 1) return say('countInvalid')
    return value > mostTokensAtOnce ? say('countTooMany') : null
  },
  models: (value, values) => {
    if (!values.limited) return null
    if (value.length === 0) return say('modelsRequired')
    return value.join(',').length > longestTokenModels ? say('modelsTooLong') : null
  },
})
