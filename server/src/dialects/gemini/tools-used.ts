import { isObject, type JsonObject, listOf, membersOf, objectsOf } from '../conversation/json.ts'
import { type Extras, extrasOf, noExtras, tierOf } from '../tools/tools-used.ts'

/** The service tier. Vertex AI reports it as `trafficType`, e.g. `ON_DEMAND_FLEX`. */
export const usageTier = ({ serviceTier, trafficType }: JsonObject): string | undefined =>
  tierOf(serviceTier) ?? (typeof trafficType === 'string' ? tierOf(trafficType.replace(/^ON_DEMAND_/, '')) : undefined)

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
  return {
    see(candidates) {
      for (const candidate of objectsOf(candidates)) {
        if (candidate.groundingMetadata === undefined) continue
        const { webSearchQueries, groundingChunks } = membersOf(candidate.groundingMetadata)
        for (const query of listOf(webSearchQueries)) if (typeof query === 'string' && query !== '') queries.add(query)
        if (objectsOf(groundingChunks).some((chunk) => isObject(chunk.maps))) maps = 1
      }
    },
    extras: () => {
      if (queries.size === 0 && maps === 0) return noExtras
      return extrasOf(
        { google_search: Math.min(1, queries.size), google_search_query: queries.size, google_maps: maps },
        undefined,
      )
    },
  }
}

/** Grounding tools of a complete answer. */
export const groundingOf = (candidates: unknown): Extras => {
  const grounding = openGrounding()
  grounding.see(candidates)
  return grounding.extras()
}
