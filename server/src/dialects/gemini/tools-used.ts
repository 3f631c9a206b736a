import { isObject, type JsonObject, listOf, membersOf, objectsOf } from '../conversation/json.ts'
import { type Extras, extrasOf, noExtras, saysStandard, tierAmong, toolNamed } from '../tools/tools-used.ts'

/** The service tier. Vertex AI reports it as `trafficType`, e.g. `ON_DEMAND_FLEX`. */
const tiersIn = ({ serviceTier, trafficType }: JsonObject): readonly unknown[] => [
  serviceTier,
  typeof trafficType === 'string' ? trafficType.replace(/^ON_DEMAND_/, '') : undefined,
]

export const usageTier = (usage: JsonObject): string | undefined => tierAmong(...tiersIn(usage))

/** True if the usage states the standard tier. */
export const statesStandard = (usage: unknown): boolean => saysStandard(...tiersIn(membersOf(usage)))

/** Members of grounding metadata and of a chunk's source that name no tool that is not known. */
const groundingMembers: ReadonlySet<string> = new Set([
  'webSearchQueries',
  'groundingChunks',
  'groundingSupports',
  'searchEntryPoint',
  'retrievalMetadata',
  'retrievalQueries',
  'googleMapsWidgetContextToken',
  'sourceFlaggingUris',
])
const chunkSources: ReadonlySet<string> = new Set(['web', 'maps', 'retrievedContext'])

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** Adds the tools that no table knows and that made something of an answer's grounding: by query, or once. */
const addUnknown = (metadata: JsonObject, calls: Map<string, number>): void => {
  for (const [name, value] of Object.entries(metadata)) {
    if (groundingMembers.has(name) || isEmpty(value)) continue
    const tool = toolNamed(name)
    calls.set(tool, Math.max(calls.get(tool) ?? 0, Array.isArray(value) ? value.length : 1))
  }
  for (const chunk of objectsOf(metadata.groundingChunks))
    for (const name of Object.keys(chunk)) if (!chunkSources.has(name)) calls.set(toolNamed(name), 1)
}

/** Counts the grounding tools that an answer, or the chunks of one, used. */
export interface Grounding {
  see(candidates: unknown): void
  extras(): Extras
}

/**
 * Google Search is billed by grounded answer up to Gemini 2.5 and by query from Gemini 3 on. Both are counted; the price book
 * picks one. Empty and repeated queries do not count (ai.google.dev/gemini-api/docs/google-search, "Pricing").
 */
export const openGrounding = (): Grounding => {
  const queries = new Set<unknown>()
  let maps = 0
  const unknown = new Map<string, number>()
  return {
    see(candidates) {
      for (const candidate of objectsOf(candidates)) {
        if (candidate.groundingMetadata === undefined) continue
        const metadata = membersOf(candidate.groundingMetadata)
        const { webSearchQueries, groundingChunks } = metadata
        addUnknown(metadata, unknown)
        for (const query of listOf(webSearchQueries)) if (typeof query === 'string' && query !== '') queries.add(query)
        if (objectsOf(groundingChunks).some((chunk) => isObject(chunk.maps))) maps = 1
      }
    },
    extras: () => {
      if (queries.size === 0 && maps === 0 && unknown.size === 0) return noExtras
      return extrasOf(
        {
          google_search: Math.min(1, queries.size),
          google_search_query: queries.size,
          google_maps: maps,
          ...Object.fromEntries(unknown),
        },
        undefined,
      )
    },
  }
}

const isGrounded = (candidate: unknown): boolean => isObject(candidate) && candidate.groundingMetadata !== undefined

/** Grounding tools of a complete answer; almost none used any. */
export const groundingOf = (candidates: unknown): Extras => {
  if (!Array.isArray(candidates) || !candidates.some(isGrounded)) return noExtras
  const grounding = openGrounding()
  grounding.see(candidates)
  return grounding.extras()
}
