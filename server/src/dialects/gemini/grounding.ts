import type { Citation, OpaquePart, WebSource } from '../conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'

/** Citations and searches in groundingMetadata (ai.google.dev/api/generate-content#GroundingMetadata). Segments count UTF-8 bytes. */

const charactersAt = (bytes: Buffer, at: number | undefined): number | undefined =>
  at === undefined ? undefined : bytes.subarray(0, at).toString().length

const sourceOf = (chunk: JsonObject): JsonObject | undefined => {
  const source = chunk.web ?? chunk.retrievedContext ?? chunk.maps
  return isObject(source) ? source : undefined
}

/** Reads the citations of an answer. `answerText` is all of its text. */
export const readCitations = (grounding: JsonObject, answerText: string): Citation[] => {
  const supports = objectsOf(grounding.groundingSupports)
  if (supports.length === 0) return []
  const chunks = objectsOf(grounding.groundingChunks)
  const bytes = Buffer.from(answerText)
  return supports.flatMap((support) => {
    const { startIndex, endIndex, text } = membersOf(support.segment)
    const start = charactersAt(bytes, numberIn(startIndex) ?? 0)
    const end = charactersAt(bytes, numberIn(endIndex))
    return listOf(support.groundingChunkIndices).flatMap((index) => {
      const source = sourceOf(membersOf(chunks[Number(index)]))
      if (source === undefined) return []
      return [defined({ url: textIn(source.uri), title: textIn(source.title), citedText: textIn(text), start, end })]
    })
  })
}

/** Reads all web searches of an answer as one part; undefined if it made none. */
export const readSearch = (grounding: JsonObject, answer: string): OpaquePart | undefined => {
  const queries = listOf(grounding.webSearchQueries).filter((query) => typeof query === 'string' && query !== '')
  if (queries.length === 0) return undefined
  const sources = objectsOf(grounding.groundingChunks).flatMap(({ web }): WebSource[] => {
    const { uri, title } = membersOf(web)
    return textOf(uri) === '' ? [] : [{ url: textOf(uri), ...defined({ title: textIn(title) || undefined }) }]
  })
  const search = { id: answer, queries: [...new Set(queries as string[])], sources, isCited: true } as const
  return { kind: 'opaque', dialect: 'gemini', type: 'google_search', value: {}, search }
}

const chunkOf = ({ url, title, citedText }: Citation): JsonObject =>
  url === undefined ? { retrievedContext: defined({ title, text: citedText }) } : { web: defined({ uri: url, title }) }

const segmentOf = ({ start, end }: Citation, answerText: string): JsonObject | undefined => {
  if (start === undefined || end === undefined || end <= start) return undefined
  const startIndex = Buffer.byteLength(answerText.slice(0, start))
  const text = answerText.slice(start, end)
  return { startIndex, endIndex: startIndex + Buffer.byteLength(text), text }
}

/** Writes groundingMetadata with each source once; an empty object without citations. */
export const writeCitations = (citations: readonly Citation[], answerText: string): JsonObject => {
  if (citations.length === 0) return {}
  const chunks = new Map<string, JsonObject>()
  const supports = citations.flatMap((citation): JsonObject[] => {
    const key = citation.url ?? JSON.stringify([citation.title, citation.citedText])
    if (!chunks.has(key)) chunks.set(key, chunkOf(citation))
    const segment = segmentOf(citation, answerText)
    return segment === undefined ? [] : [{ segment, groundingChunkIndices: [[...chunks.keys()].indexOf(key)] }]
  })
  return { groundingMetadata: { groundingChunks: [...chunks.values()], groundingSupports: supports } }
}
