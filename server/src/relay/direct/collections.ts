/** A kind of stored objects in provider accounts, from their public documentation: one entry for each kind. */
export interface Collection {
  /** Names the kind in records; no two entries share one. */
  readonly kind: string
  /** Paths behind the version; `*` is any one segment. */
  readonly paths: readonly string[]
  /** Member of an object that is its id; by default `id`, or `name` where there is none. */
  readonly idMember?: string
  /** Members of an object that name others, which belong to the same maker, and the kinds of those; `[]` goes through a list. */
  readonly results?: readonly ObjectResult[]
  /** The same in objects of Google, which have a `name` and no `id`: elsewhere clients may write anything there. */
  readonly googleResults?: readonly ObjectResult[]
  /** Sub-paths behind an id of calls that create another object of the collection. */
  readonly remakes?: RegExp
}

type ObjectResult = readonly [path: string, kind: string]

const openai: readonly Collection[] = [
  // Google and Mistral have files under the same name.
  { kind: 'files', paths: ['files'] },
  {
    kind: 'batches',
    paths: ['batches'],
    results: [
      ['output_file_id', 'files'],
      ['error_file_id', 'files'],
    ],
    googleResults: [
      ['response.responsesFile', 'files'],
      ['metadata.output.responsesFile', 'files'],
    ],
  },
  { kind: 'uploads', paths: ['uploads'], results: [['file.id', 'files']] },
  { kind: 'vector_stores', paths: ['vector_stores'] },
  { kind: 'assistants', paths: ['assistants'] },
  { kind: 'threads', paths: ['threads'] },
  {
    kind: 'fine_tuning_jobs',
    paths: ['fine_tuning/jobs'],
    results: [
      ['result_files[]', 'files'],
      ['fine_tuned_model', 'models'],
    ],
    // The list of checkpoints has no id.
    googleResults: [['data[].fine_tuned_model_checkpoint', 'models']],
  },
  { kind: 'responses', paths: ['responses'] },
  { kind: 'conversations', paths: ['conversations'] },
  { kind: 'containers', paths: ['containers'] },
  { kind: 'evals', paths: ['evals'] },
  { kind: 'videos', paths: ['videos'], remakes: /^remix$/ },
  { kind: 'completions', paths: ['chat/completions'] },
]

const anthropic: readonly Collection[] = [
  { kind: 'message_batches', paths: ['messages/batches'] },
  { kind: 'skills', paths: ['skills'] },
]

const gemini: readonly Collection[] = [
  { kind: 'cached_contents', paths: ['cachedContents'] },
  { kind: 'file_search_stores', paths: ['fileSearchStores'] },
  { kind: 'tuned_models', paths: ['tunedModels'] },
  { kind: 'corpora', paths: ['corpora'] },
  { kind: 'interactions', paths: ['interactions'] },
  {
    kind: 'operations',
    paths: ['models/*/operations', 'operations'],
    googleResults: [
      ['response.generateVideoResponse.generatedSamples[].video.uri', 'files'],
      ['response.responsesFile', 'files'],
    ],
  },
]

const mistral: readonly Collection[] = [
  {
    kind: 'batch_jobs',
    paths: ['batch/jobs'],
    results: [
      ['output_file', 'files'],
      ['error_file', 'files'],
    ],
  },
  { kind: 'agents', paths: ['agents'] },
  { kind: 'libraries', paths: ['libraries'] },
]

const perplexity: readonly Collection[] = [{ kind: 'async_completions', paths: ['async/chat/completions'] }]

/** Fine-tuned models. They are listed among the public ones, so they are no collection of their own. */
const madeModels: Collection = { kind: 'models', paths: [] }

export const collections: readonly Collection[] = [...openai, ...anthropic, ...gemini, ...mistral, ...perplexity]

const byKind: ReadonlyMap<string, Collection> = new Map(collections.map((entry) => [entry.kind, entry]))

/** The collection of a kind; undefined for an unknown kind. */
export const collectionOf = (kind: string): Collection | undefined => byKind.get(kind)

/** A call that names no object in its address. */
interface Action {
  readonly method: 'GET' | 'POST'
  /** The address behind the version. */
  readonly path: RegExp
  /** Kind of the objects that it makes; absent where it makes none. */
  readonly makes?: string
  /** Member of its answer that is the id of what it makes, where that is not the usual one. */
  readonly idMember?: string
}

const geminiVerb =
  'generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents|predict|rawPredict|streamRawPredict'

/** Calls whose answers contain no objects of other calls. Calls in neither table are allowed on shared channels only. */
const actions: readonly Action[] = [
  {
    method: 'POST',
    path: /^(?:deployments\/[^/]+\/)?(?:completions|embeddings|moderations|images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations))$/,
  },
  { method: 'POST', path: /^deployments\/[^/]+\/chat\/completions$/, makes: 'completions' },
  { method: 'POST', path: /^responses\/(?:compact|input_tokens)$/ },
  { method: 'POST', path: /^threads\/runs$/, makes: 'threads', idMember: 'thread_id' },
  { method: 'POST', path: /^videos\/(?:edits|extensions|characters)$/, makes: 'videos' },
  { method: 'POST', path: /^(?:messages|messages\/count_tokens|complete)$/ },
  { method: 'POST', path: new RegExp(`^(?:publishers/[^/]+/)?models/[^/]+:(?:${geminiVerb})$`, 'i') },
  {
    method: 'POST',
    path: /^(?:publishers\/[^/]+\/)?models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent)$/i,
    makes: 'batches',
  },
  { method: 'POST', path: /^(?:publishers\/[^/]+\/)?models\/[^/]+:predictLongRunning$/i, makes: 'operations' },
  { method: 'POST', path: /^model\/[^/]+\/(?:invoke|invoke-with-response-stream|converse|converse-stream)$/ },
  { method: 'POST', path: /^(?:fim\/completions|ocr|classifications|chat\/(?:moderations|classifications))$/ },
  { method: 'POST', path: /^(?:chat|generate|embed|rerank|classify|tokenize|detokenize|score|pooling)$/ },
  { method: 'POST', path: /^(?:multimodalembeddings|contextualizedembeddings)$/ },
  { method: 'GET', path: /^(?:models\/(?![Ff][Tt]:)[^/]+|tags)$/ },
]

/** Meaning of a direct call's address; undefined where the owner of its objects cannot be known. */
export type DirectAim =
  | {
      readonly kind: 'action'
      /** Kind of the created object; undefined for none. */
      readonly makes: Collection | undefined
      readonly idMember?: string | undefined
    }
  /** The list of all models, including fine-tuned ones. */
  | { readonly kind: 'models'; readonly collection: Collection }
  /** The whole collection: `GET` lists it, `POST` makes an object. */
  | { readonly kind: 'all'; readonly collection: Collection }
  /** One object, or a sub-path of it (`below`: the path behind its id, empty for the object itself). */
  | { readonly kind: 'one'; readonly collection: Collection; readonly id: string; readonly below: string }

/** Most segments before the version in a provider's address. */
const mostBeforeVersion = 4

/** The segments behind the version, as the provider reads them; undefined where they cannot be read. */
const segmentsOf = (path: string): readonly string[] | undefined => {
  try {
    const all = path.split('/').slice(1).map(decodeURIComponent)
    const version = all.slice(0, mostBeforeVersion).findIndex((segment) => /^v\d/i.test(segment))
    const rest = all.slice(version + 1)
    // Clouds have projects and places behind the version, and OpenAI's API under its name before or behind it.
    if (rest[0]?.toLowerCase() === 'projects' && rest[2]?.toLowerCase() === 'locations') return rest.slice(4)
    const isPrefix = rest[0] !== undefined && /^(?:openai|api)$/i.test(rest[0])
    return isPrefix ? rest.slice(1) : rest
  } catch {
    return undefined
  }
}

/** An address in the one form that the gateway's own calls have, and the deployment that it names. */
export interface PlainAddress {
  readonly path: string
  /** Empty where it names none. */
  readonly deployment: string
}

/**
 * The plain form of an address: letters that are written as `%63`, other versions and beginnings mean the same call to a provider.
 * undefined where the address cannot be read.
 */
export const plainAddress = (path: string): PlainAddress | undefined => {
  const segments = segmentsOf(path)
  if (segments === undefined || segments.length === 0) return undefined
  const [first = '', deployment = '', ...call] = segments
  return /^deployments$/i.test(first) && call.length > 0
    ? { path: `/v1/${call.join('/')}`, deployment }
    : { path: `/v1/${segments.join('/')}`, deployment: '' }
}

const patterns: readonly { readonly segments: readonly string[]; readonly collection: Collection }[] = collections
  .flatMap((collection) => collection.paths.map((path) => ({ segments: path.toLowerCase().split('/'), collection })))
  // `chat/completions` before what is shorter.
  .toSorted((left, right) => right.segments.length - left.segments.length)

const fits = (segments: readonly string[], pattern: readonly string[]): boolean =>
  pattern.every((part, index) => part === '*' || segments[index]?.toLowerCase() === part)

/** An id without the verb that Google's API puts behind it: `abc:download`. */
const withoutVerb = (segment: string): readonly [id: string, verb: string] => {
  const at = segment.indexOf(':')
  return at < 0 ? [segment, ''] : [segment.slice(0, at), segment.slice(at + 1)]
}

/** Meaning of a direct call, by its method and its path at the provider. */
export const aimOf = (method: string, path: string): DirectAim | undefined => {
  const segments = segmentsOf(path)
  if (segments === undefined || segments.length === 0) return undefined
  const address = segments.join('/')
  if (method === 'GET' && address === 'models') return { kind: 'models', collection: madeModels }
  const action = actions.find((entry) => entry.method === method && entry.path.test(address))
  if (action !== undefined) {
    const { makes, idMember } = action
    return { kind: 'action', makes: makes === undefined ? undefined : collectionOf(makes), idMember }
  }
  const [, model] = /^models\/(ft:[^/]+)$/i.exec(address) ?? []
  if (model !== undefined) return { kind: 'one', collection: madeModels, id: bareId('models', model), below: '' }
  const found = patterns.find((pattern) => fits(segments, pattern.segments))
  if (found === undefined) return undefined
  const { collection } = found
  const [id, ...below] = segments.slice(found.segments.length)
  if (id === undefined) return method === 'GET' || method === 'POST' ? { kind: 'all', collection } : undefined
  const [bare, verb] = withoutVerb(id)
  return { kind: 'one', collection, id: bare, below: [...(verb === '' ? [] : [`:${verb}`]), ...below].join('/') }
}

/** The bare id in a name of an object: `files/abc` and the address of such a file are `abc`, a checkpoint is its model. */
export const bareId = (kind: string, name: string): string => {
  if (kind === 'models') return name.replace(/:ckpt-step-\d+$/, '')
  const paths = collectionOf(kind)?.paths ?? []
  const segments = (/^[a-z]+:\/\/[^/]*\/(.*)$/i.exec(name)?.[1] ?? name).split('/')
  for (const path of paths) {
    const word = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    const at = segments.findIndex((segment) => segment.toLowerCase() === word)
    const id = at < 0 ? undefined : segments[at + 1]
    if (id !== undefined) return /^[^:?#]*/.exec(id)?.[0] ?? id
  }
  return name
}
