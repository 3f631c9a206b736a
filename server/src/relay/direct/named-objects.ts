import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { bareId } from './collections.ts'
import { madeModelOf } from './created-models.ts'
import type { ObjectName } from './ports.ts'

/** Ids that a request names. */
export interface NamedObjects {
  /** In members that only name objects: the sender must have access to them. */
  readonly named: readonly ObjectName[]
  /** Texts elsewhere that look like ids: they must not belong to another maker. */
  readonly alike: readonly ObjectName[]
}

export const nothingNamed: NamedObjects = { named: [], alike: [] }

/** Files that were read line by line when they came: only they are inputs of batches. */
export const batchInputs = 'batch_inputs'

/** Members that name objects, and their kinds. The value is an id, a list of ids, or an object with an `id`. */
const references: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    file_id: ['files'],
    file_ids: ['files'],
    input_file_id: ['files', batchInputs],
    input_files: ['files', batchInputs],
    training_file: ['files'],
    validation_file: ['files'],
    training_files: ['files'],
    validation_files: ['files'],
    vector_store_id: ['vector_stores'],
    vector_store_ids: ['vector_stores'],
    assistant_id: ['assistants'],
    thread_id: ['threads'],
    previous_response_id: ['responses'],
    response_id: ['responses'],
    conversation: ['conversations'],
    conversation_id: ['conversations'],
    container: ['containers'],
    container_id: ['containers'],
    upload_id: ['uploads'],
    eval_id: ['evals'],
    batch_id: ['batches'],
    skill_id: ['skills'],
    agent_id: ['agents'],
    library_id: ['libraries'],
    library_ids: ['libraries'],
    video: ['videos'],
    cachedContent: ['cached_contents'],
    cached_content: ['cached_contents'],
    fileSearchStoreNames: ['file_search_stores'],
    file_search_store_names: ['file_search_stores'],
    previous_interaction_id: ['interactions'],
  }),
)

/** Google's files, which stand in members that also hold addresses of anything else. */
const fileMembers: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fileUri: ['files'],
    file_uri: ['files'],
    fileName: ['files', batchInputs],
    file_name: ['files', batchInputs],
  }),
)
const googleFile = /^(?:https?:\/\/[^/]*\.googleapis\.com(?::\d+)?\/.*)?\/?files\/[^/]+$/i

/** True if a text is the name or the address of one of Google's files. */
export const namesGoogleFile = (text: string): boolean => googleFile.test(text)

/** Prefixes of ids, and their kinds. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^file[-_]/, 'files'],
  [/^files\/[^/]+$/, 'files'],
  [/^batch_/, 'batches'],
  [/^batches\/[^/]+$/, 'batches'],
  [/^msgbatch_/, 'message_batches'],
  [/^upload_/, 'uploads'],
  [/^vs_/, 'vector_stores'],
  [/^asst_/, 'assistants'],
  [/^thread_/, 'threads'],
  [/^ftjob-/, 'fine_tuning_jobs'],
  [/^ft:/i, 'models'],
  [/^resp_/, 'responses'],
  [/^(?:msg|rs|fc|ci|ws|fs|ig|mcp)_/, 'items'],
  [/^conv_/, 'conversations'],
  [/^(?:cntr|container)_/, 'containers'],
  [/^eval_/, 'evals'],
  [/^video_/, 'videos'],
  [/^chatcmpl-/, 'completions'],
  [/^skill_/, 'skills'],
  [/^cachedContents\/[^/]+$/, 'cached_contents'],
  [/^fileSearchStores\/[^/]+$/, 'file_search_stores'],
  [/^tunedModels\/[^/]+$/, 'tuned_models'],
]

/** Characters. No id is longer. */
const longestId = 200

/** Members with content of models or tool descriptions: names inside them are chosen by clients. */
const schemas: ReadonlySet<string> = new Set([
  ...['parameters', 'parametersJsonSchema', 'input_schema', 'inputSchema', 'schema', 'properties', 'metadata', 'args'],
  ...['arguments', 'responseSchema', 'response_schema', 'responseJsonSchema', 'custom_id', 'text', 'instructions'],
])

const isToolCall = ({ type }: JsonObject): boolean => typeof type === 'string' && /tool_use$|_call$/.test(type)

const isChosen = (member: string, object: JsonObject, parent: string): boolean =>
  schemas.has(member) ||
  (member === 'input' && isToolCall(object)) ||
  (member === 'response' && (parent === 'functionResponse' || parent === 'function_response'))

const idsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((entry): entry is string => typeof entry === 'string')
  return isObject(value) && typeof value.id === 'string' ? [value.id] : []
}

const modelKinds = (model: string): readonly string[] => {
  const made = madeModelOf(model)
  return made === undefined ? [] : [made.kind]
}

const kindsOf = (member: string, object: JsonObject, id: string): readonly string[] => {
  // Anthropic's own skills are public.
  if (member === 'skill_id' && object.type === 'anthropic') return []
  const isItem = member === 'id' && object.type === 'item_reference'
  if (isItem) return ['items']
  if (member === 'model' || member === 'base_model') return modelKinds(id)
  // Files of a container are reached through the container.
  if (id.startsWith('cfile_')) return []
  // Other providers have addresses of videos there.
  if (member === 'video' && !isObject(object.video)) return []
  const file = fileMembers.get(member)
  return file === undefined ? (references.get(member) ?? []) : googleFile.test(id) ? file : []
}

/** Looks through a parsed body. A text of a known shape counts, wherever it stands. */
export const namedObjects = (body: unknown): NamedObjects => {
  const named = new Map<string, ObjectName>()
  const alike = new Map<string, ObjectName>()
  const add = (to: Map<string, ObjectName>, kind: string, id: string): void => {
    const bare = bareId(kind === batchInputs ? 'files' : kind, id)
    to.set(`${kind}/${bare}`, { kind, id: bare })
  }
  const lookAt = (text: string): void => {
    if (text.length > longestId) return
    const kind = prefixes.find(([prefix]) => prefix.test(text))?.[1]
    if (kind !== undefined) add(alike, kind, text)
  }
  const walk = (value: unknown, parent: string, chosen: boolean): void => {
    if (typeof value === 'string') lookAt(value)
    else if (Array.isArray(value)) for (const entry of value) walk(entry, parent, chosen)
    else if (isObject(value))
      for (const [member, entry] of Object.entries(value)) {
        const inner = chosen || isChosen(member, value, parent)
        if (!inner) for (const id of idsIn(entry)) for (const kind of kindsOf(member, value, id)) add(named, kind, id)
        walk(entry, member, inner)
      }
  }
  walk(body, '', false)
  return { named: [...named.values()].filter(({ id }) => id !== ''), alike: [...alike.values()] }
}
