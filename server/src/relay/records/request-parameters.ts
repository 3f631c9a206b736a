/** A chosen value, or how many entries a list has. */
export type ParameterValue = number | string | boolean

type Json = Readonly<Record<string, unknown>>

/** Settings that are a number, a switch or a word, as the APIs name them. Texts of the conversation are never among them. */
const plain = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'response_format',
  'tool_choice',
  'parallel_tool_calls',
  'service_tier',
  'dimensions',
  'encoding_format',
  'size',
  'quality',
  'voice',
] as const
const ofGemini = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'candidateCount',
  'responseMimeType',
  'seed',
] as const
const lists = ['messages', 'input', 'contents', 'tools', 'stop', 'stop_sequences'] as const

/** Values that an API names are shorter; a longer one is text that a user wrote. */
const longestWord = 40

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const chosenIn = (value: unknown): ParameterValue | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return value.length <= longestWord && value.isWellFormed() ? value : undefined
  // `{ "type": "json_schema", … }`: the type is enough.
  return isObject(value) && typeof value.type === 'string' ? chosenIn(value.type) : undefined
}

/** Members that a request chooses; all others that count here are lists. */
const chosen: ReadonlySet<string> = new Set([...plain, 'generationConfig', 'thinking'])

/** How many messages, tools and stops a request had; undefined for none. */
const listsIn = (body: Json): Record<string, ParameterValue> | undefined => {
  let found: Record<string, ParameterValue> | undefined
  for (const name of lists) {
    const list = body[name]
    if (!Array.isArray(list)) continue
    found ??= {}
    found[name] = list.length // own names: those of `lists`
  }
  return found
}

const chosenAndLists = (body: Json): Record<string, ParameterValue> | undefined => {
  const found = new Map<string, ParameterValue>()
  const keep = (name: string, value: ParameterValue | undefined): void => {
    if (value !== undefined) found.set(name, value)
  }
  for (const name of plain) if (name in body) keep(name, chosenIn(body[name]))
  const { generationConfig: gemini, thinking } = body
  if (isObject(gemini)) for (const name of ofGemini) if (name in gemini) keep(name, chosenIn(gemini[name]))
  if (isObject(thinking)) {
    keep('thinking', chosenIn(thinking.type))
    keep('thinking.budget_tokens', chosenIn(thinking.budget_tokens))
  }
  const counted = listsIn(body)
  if (found.size === 0) return counted
  return { ...Object.fromEntries(found), ...counted }
}

/** Settings of a request: chosen values, and how many messages, tools and stops it had; undefined where it has none. */
export const requestParameters = (body: Json | undefined): Record<string, ParameterValue> | undefined => {
  if (body === undefined) return undefined
  for (const name in body) if (chosen.has(name)) return chosenAndLists(body)
  return listsIn(body)
}
