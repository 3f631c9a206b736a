import type { JsonObject } from '#server/dialects/conversation/json.ts'

/** A request to a provider, at a path below its channel's address. */
export interface BatchAsk {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: { readonly type: string; readonly bytes: Buffer }
  /** Member of the answer that may list results, however many: they are passed over. */
  readonly passesOver?: string
}

/** A batch that is to be made. */
export interface NewProviderBatch {
  /** Our name of it, which its object at the provider has, too. */
  readonly mark: string
  /** Path of the calls, the same for all lines. */
  readonly path: string
  /** The first line's model, as the provider knows it. */
  readonly model: string
  /** Lines as `line` makes them, together. */
  readonly lines: Buffer
  /** Id of the uploaded lines; empty where they are not uploaded. */
  readonly file: string
  /** Address that the provider calls at its end, if its API knows such; absent for none. */
  readonly callback?: string | undefined
}

/** The state of a batch at its provider. */
export type ProviderLook =
  | { readonly state: 'running' }
  /** Nothing was made of it: its input was refused. */
  | { readonly state: 'refused'; readonly reason: string }
  | {
      readonly state: 'ended'
      /** Addresses of results as lines of JSON. */
      readonly results: readonly string[]
      /** Member that lists results: of those addresses' JSON, or of the batch's object where there are none; absent for lines. */
      readonly inside?: string
    }

/** A batch as a provider lists it. */
export interface ListedBatch {
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** undefined as long as they were not counted. */
  readonly lines: number | undefined
  readonly look: ProviderLook
}

/** The way to a batch at a provider that has no room for our name of it. */
export interface UnnamedBatches {
  /** Lists batches, the newest first: behind the one with the id `after`, where there is one. */
  list(after: string | undefined): BatchAsk
  /** `next` is the id behind which the list goes on; undefined at its end. */
  readList(page: JsonObject): { readonly batches: readonly ListedBatch[]; readonly next: string | undefined }
  /** Our name of the batch that a result belongs to; undefined for batches of others. */
  markOf(result: JsonObject): string | undefined
}

/** The result of a line. */
export type ProviderResult =
  | { readonly kind: 'answered'; readonly line: number; readonly status: number; readonly body: Buffer }
  /** Not begun: its batch was cancelled, or expired. */
  | { readonly kind: 'skipped'; readonly line: number }

/** One provider's API for batches. */
export interface ProviderKind {
  readonly name: string
  /** Types of channels that speak this API. */
  readonly channelTypes: readonly number[]
  /** The most lines of a batch, and bytes of them all together. */
  readonly mostLines: number
  readonly mostBytes: number
  /** True where all lines of a batch have the same model. */
  readonly oneModel?: true
  /** True for paths of calls that batches have. */
  takes(path: string): boolean
  /** A request as a line of the batch of this mark. */
  line(request: {
    readonly number: number
    readonly path: string
    readonly body: Buffer
    readonly mark: string
  }): string
  /** Text between lines. */
  readonly separator: string
  /** Uploads the lines first; absent where they are in the request that makes the batch. */
  upload?(batch: Omit<NewProviderBatch, 'file'>): BatchAsk
  /** True where its requests for batches of calls at this path have a place for `callback`. */
  calls?(path: string): boolean
  create(batch: NewProviderBatch): BatchAsk
  /** The id that an answer names for a file or a batch. */
  idIn(answer: JsonObject): string | undefined
  look(id: string): BatchAsk
  readLook(batch: JsonObject): ProviderLook
  /** Path of the results that follow those of `path`, by the object around them; undefined behind the last. Absent where there is one page. */
  nextPage?(page: JsonObject, path: string): string | undefined
  /** Asks it to end a batch; absent where nothing ends one. */
  cancel?(id: string): BatchAsk
  /** Lists the newest batches; absent where a batch cannot be found by its mark. */
  recent?(): BatchAsk
  /** Id of the batch with this mark in that list. */
  marked?(list: JsonObject, mark: string): string | undefined
  /** Set where batches have no marks: their results have them. */
  readonly unnamed?: UnnamedBatches
  /** undefined where it is no result of a line. */
  readResult(line: JsonObject): ProviderResult | undefined
}

/** Lines are named by their numbers, and by the mark of their batch where that has none itself. */
export const nameOfLine = (line: number, mark = ''): string => `line-${line}${mark === '' ? '' : `_${mark}`}`

export const lineNamed = (name: unknown): number | undefined => {
  const [, digits] = (typeof name === 'string' ? /^line-(\d{1,9})(?:_|$)/ : /$^/).exec(String(name)) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The mark in the name of a line. */
export const markNamed = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^line-\d{1,9}_(.+)$/.exec(name)?.[1] : undefined
