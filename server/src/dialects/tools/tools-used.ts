import { ownMember } from '@tollgate/contract/own-member'
import { isTierName } from '../../billing/declared/tiers.ts'
import type { DisputedFigures, ToolCalls, Usage } from '../../billing/usage.ts'

/** Billed items beside tokens: calls of the provider's own tools, and the service tier. */
export interface Extras {
  readonly tools?: ToolCalls
  readonly tier?: string
  /** Implausible call counts, which are not billed. */
  readonly disputed?: DisputedFigures
}

export const noExtras: Extras = {}

/** Tier names at the standard price. `auto` is a request value, so an answer with it states no tier. */
const standard: ReadonlySet<string> = new Set(['', 'default', 'standard', 'auto', 'on_demand', 'standard_only'])
const named = /^[a-z0-9_-]{1,40}$/

const longestName = 40

/** A name from outside as prices and receipts write it. */
const plainName = (text: string): string =>
  named.test(text)
    ? text
    : text
        .slice(0, longestName)
        .toLowerCase()
        .replace(/[^a-z0-9_-]/g, '_')

/** The tier as prices name it; undefined for the standard tier. A name that no tier can have is still an undeclared tier. */
export const tierOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || standard.has(value)) return undefined
  const name = value.trim().toLowerCase()
  return standard.has(name) ? undefined : plainName(name)
}

/**
 * The tier of an answer that states one in several places: the first that is not the standard one, unless another has a name that no maker's
 * tier has, whose price nobody knows.
 */
export const tierAmong = (...values: readonly unknown[]): string | undefined => {
  let found: string | undefined
  for (const value of values) {
    const tier = tierOf(value)
    if (tier === undefined) continue
    if (!isTierName(tier)) return tier
    found ??= tier
  }
  return found
}

/** True if an answer that states its tier in these places states the standard one; false where it states another, or none. */
export const saysStandard = (...values: readonly unknown[]): boolean =>
  tierAmong(...values) === undefined &&
  values.some((value) => typeof value === 'string' && value !== '' && value.trim().toLowerCase() !== 'auto')

/** A tool that no table knows, as receipts name it. */
export const toolNamed = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? plainName(value) : 'unnamed'

/** The container of a tool that runs code as receipts name it: the usual one has 1 GB of memory. */
export const containerNamed = ({ container }: Readonly<Record<string, unknown>>): string => {
  const memory =
    typeof container === 'object' && container !== null && 'memory_limit' in container
      ? container.memory_limit
      : undefined
  return typeof memory !== 'string' || memory === '' || memory === '1g'
    ? 'code_interpreter'
    : toolNamed(`code_interpreter_${memory}`)
}

/** The highest plausible number of calls of one tool in one answer; long research runs make a few hundred. */
const mostCalls = 1000

/** True if the count is plausible: a whole number from 0 to 1000. */
export const isCallCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostCalls

const isDisputed = (count: number): boolean => count > 0 && !isCallCount(count)

/**
 * Billed tool calls and tier of an answer, without tools that were not called; `noExtras` if nothing is billed, as in most answers.
 * Implausible counts go to `disputed` and cost nothing.
 */
export const extrasOf = (calls: Readonly<Record<string, number>>, tier: string | undefined): Extras => {
  const named = Object.entries(calls).filter(([, count]) => count > 0)
  if (named.length === 0 && tier === undefined) return noExtras
  const used = named.filter(([, count]) => isCallCount(count))
  const disputed = used.length === named.length ? [] : named.filter(([, count]) => isDisputed(count))
  return {
    ...(used.length === 0 ? {} : { tools: Object.fromEntries(used) }),
    ...(tier === undefined ? {} : { tier }),
    ...(disputed.length === 0 ? {} : { disputed: Object.fromEntries(disputed) }),
  }
}

export const withExtras = (usage: Usage | undefined, extras: Extras): Usage | undefined =>
  usage === undefined || extras === noExtras ? usage : { ...usage, ...extras }

/** Adds tool calls seen in the stream to the usage of an answer that was cut short before the provider reported them. */
export const withStreamExtras = (usage: Usage, { tools, tier, disputed }: Extras): Usage => {
  const tiered = usage.tier === undefined && tier !== undefined ? { ...usage, tier } : usage
  const seen = disputed === undefined ? tiered : { ...tiered, disputed: { ...disputed, ...tiered.disputed } }
  if (tools === undefined) return seen
  const names = new Set([...Object.keys(tools), ...Object.keys(usage.tools ?? {})])
  const most = [...names].map((name) => [
    name,
    Math.max(ownMember(tools, name) ?? 0, ownMember(usage.tools ?? {}, name) ?? 0),
  ])
  return { ...seen, tools: Object.fromEntries(most) }
}
