import type { Tool } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, listOf, membersOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

type BuiltIn = Extract<Tool, { kind: 'built_in' }>

/** Options of a web search by the provider, under Anthropic's names. */
interface SearchOptions {
  readonly max_uses?: unknown
  readonly allowed_domains?: readonly unknown[]
  readonly blocked_domains?: readonly unknown[]
  /** City, region, country and timezone. */
  readonly user_location?: JsonObject
  /** Only OpenAI has it. */
  readonly search_context_size?: unknown
}

const names = ['max_uses', 'allowed_domains', 'blocked_domains', 'user_location', 'search_context_size'] as const

const domains = (value: unknown): readonly unknown[] | undefined =>
  listOf(value).length > 0 ? listOf(value) : undefined

/** Chat completions nest the location in `approximate`. */
const locationOf = (value: unknown): JsonObject | undefined => {
  if (!isObject(value)) return undefined
  const { type: _, ...place } = isObject(value.approximate) ? value.approximate : value
  return Object.keys(place).length > 0 ? place : undefined
}

const searchOptionsOf = ({ value }: BuiltIn): SearchOptions => {
  const filters = membersOf(value.filters)
  return defined({
    max_uses: value.max_uses ?? undefined,
    allowed_domains: domains(value.allowed_domains ?? filters.allowed_domains),
    blocked_domains: domains(value.blocked_domains ?? filters.blocked_domains),
    user_location: locationOf(value.user_location),
    search_context_size: value.search_context_size === 'medium' ? undefined : (value.search_context_size ?? undefined),
  })
}

/** The search options that the provider supports. The others go to `unsupported`. */
export const supportedSearchOptions = (
  tool: BuiltIn,
  supported: readonly (typeof names)[number][],
  unsupported: UnsupportedFields,
): SearchOptions => {
  const options = searchOptionsOf(tool)
  for (const name of names)
    if (options[name] !== undefined && !supported.includes(name)) unsupported.add(`tools.web_search.${name}`)
  return defined(Object.fromEntries(supported.map((name) => [name, options[name]])))
}

export const approximately = (place: JsonObject | undefined): JsonObject | undefined =>
  place && { type: 'approximate', ...place }
