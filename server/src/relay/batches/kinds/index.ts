import type { JsonObject } from '../../../dialects/conversation/json.ts'
import { anthropicBatches } from './anthropic.ts'
import type { BatchKind } from './batch-kind.ts'
import { geminiBatches } from './gemini.ts'
import { mistralBatches } from './mistral.ts'
import { openaiBatches } from './openai.ts'
import { xaiBatches } from './xai.ts'

export const batchKinds: readonly BatchKind[] = [
  openaiBatches,
  anthropicBatches,
  geminiBatches,
  mistralBatches,
  xaiBatches,
]

const byName: ReadonlyMap<string, BatchKind> = new Map(batchKinds.map((kind) => [kind.name, kind]))

/** The form of batches of a collection; undefined for other collections. */
export const batchKindOf = (name: string): BatchKind | undefined => byName.get(name)

/** The form of a batch by the object of it that a provider prints, in a collection that several have. */
export const kindOfObject = (collection: string, batch: JsonObject): BatchKind | undefined => {
  if (collection !== 'batches') return batchKinds.find((kind) => kind.collection === collection)
  if (typeof batch.batch_id === 'string') return xaiBatches
  if (typeof batch.id === 'string') return openaiBatches
  return typeof batch.name === 'string' ? geminiBatches : undefined
}
