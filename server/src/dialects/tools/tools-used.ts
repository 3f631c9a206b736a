import { ownMember } from '@tollgate/contract/own-member'
import type { DisputedFigures, ToolCalls, Usage } from '../../billing/usage.ts'

/** What an answer tells beside its tokens and is billed: calls of the provider's own tools, and the service tier. */
export interface Extras {
  readonly tools?: ToolCalls
  readonly tier?: string
  /** Reports of calls that were not believed. */
  readonly disputed?: DisputedFigures
}

export const noExtras: Extras = {}

/** Names under which providers sell what costs the plain price; `auto` asks and does not answer. */
const standard: ReadonlySet<string> = new Set(['', 'default', 'standard', 'auto', 'on_demand', 'standard_only'])
const named = /^[a-z0-9_-]{1,40}$/

/** A service tier as prices name it; undefined for the standard one and for what is no name. */
export const tierOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || standard.has(value)) return undefined
  const name = value.toLowerCase()
  return standard.has(name) || !named.test(name) ? undefined : name
}

/** The most calls of one tool in one answer; the longest research of today makes a few hundred. */
const mostCalls = 1000

/** Whether a tool can have been called so often. */
export const isCallCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostCalls

const isDisputed = (count: number): boolean => count > 0 && !isCallCount(count)

/**
 * Without the tools that were not called; nothing at all where none was, as in most answers. Counts that cannot be are disputed
 * and cost nothing.
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

/** For answers that were cut short: a provider states its tools at the end, but some had been seen before. */
export const withSeen = (usage: Usage, { tools, tier, disputed }: Extras): Usage => {
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
