import {
  type Complaint,
  each,
  firstOf,
  isJson,
  type Json,
  letters,
  list,
  objectAt,
  picturesIn,
  type ReceivedRequest,
  type Seals,
  type Step,
  type Tokens,
  text,
  unknownMembers,
} from './model.ts'

/** Refusals of Google (ai.google.dev/api/generate-content, .../gemini-api/docs/thought-signatures, .../function-calling). */

const members = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
]
const partMembers = [
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
]

const settings = [
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'seed', 'responseMimeType'],
  ...['presencePenalty', 'frequencyPenalty', 'responseLogprobs', 'logprobs', 'responseSchema', 'responseJsonSchema'],
  ...['responseModalities', 'thinkingConfig', 'speechConfig', 'mediaResolution', 'imageConfig'],
]

/** The third family signs its calls, gives them ids, and takes pictures in results. */
const isThird = (model: string): boolean => model.startsWith('gemini-3')

/** For calls that another model made. */
const noSeal = 'skip_thought_signature_validator'

const ofKind = (content: Json | undefined, kind: 'functionCall' | 'functionResponse'): Json[] =>
  list(content?.parts).flatMap((part) => (isJson(part[kind]) ? [part[kind]] : []))
const callsOf = (content: Json | undefined): Json[] => ofKind(content, 'functionCall')
const resultsOf = (content: Json | undefined): Json[] => ofKind(content, 'functionResponse')

const kinds = ['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData']

const checkResult = (result: Json, where: string, model: string): Complaint => {
  if (!isJson(result.response)) return `${where}.response: Invalid value`
  if (result.parts !== undefined && !isThird(model)) return `${where}.parts: not supported by this model`
  return unknownMembers(result, ['id', 'name', 'response', 'parts'], `${where}.`)
}

const checkPart = (part: Json, where: string, seals: Seals, model: string): Complaint => {
  if (kinds.filter((name) => part[name] !== undefined).length !== 1)
    return `${where}.data: required oneof field 'data' must have one initialized field`
  const seal = part.thoughtSignature
  const isGenuine = seal === undefined || seal === noSeal || seals.thoughtOf(text(seal)) !== undefined
  if (!isGenuine) return `${where}: Thought signature is not valid`
  const { functionCall: call, functionResponse: result } = part
  return firstOf(
    () => unknownMembers(part, partMembers, `${where}.`),
    () => (isJson(call) ? unknownMembers(call, ['id', 'name', 'args'], `${where}.function_call.`) : undefined),
    () => (isJson(call) && !isJson(call.args ?? {}) ? `${where}.function_call.args: Invalid value` : undefined),
    () => (isJson(result) ? checkResult(result, `${where}.function_response`, model) : undefined),
  )
}

/** As many responses as calls, under their names and ids, in the very next content; the first call of each step signed. */
const checkCalls = (contents: readonly Json[], model: string): Complaint =>
  each(contents, (content, at) => {
    const calls = callsOf(content)
    const results = resultsOf(contents[at + 1])
    if (calls.length !== results.length)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn'
    const odd = calls.findIndex(({ name, id }, number) => name !== results[number]?.name || id !== results[number]?.id)
    if (odd >= 0) return `contents[${at + 1}]: the function response does not belong to its call`
    if (calls.length > 0 && content.role !== 'model') return 'function call turns are the model’s'
    const current = contents.findLastIndex((other) => other.role === 'user' && resultsOf(other).length === 0)
    const [first] = list(content.parts).filter(({ functionCall }) => isJson(functionCall))
    return isThird(model) && at > current && first !== undefined && first.thoughtSignature === undefined
      ? `Function call \`${text(calls[0]?.name)}\` in the ${at}. content block is missing a \`thought_signature\``
      : undefined
  })

const checkSettings = (config: Json, model: string): Complaint => {
  const { thinkingLevel: level, thinkingBudget: budget } = objectAt(config, 'thinkingConfig')
  if (level !== undefined && !isThird(model)) return 'Thinking level is not supported for this model'
  if (level !== undefined && budget !== undefined)
    return 'You can only set only one of thinking budget and thinking level'
  return unknownMembers(config, settings, 'generation_config.')
}

const checkDeclaration = (tool: Json, where: string): Complaint => {
  if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(text(tool.name))) return `${where}.name: Invalid function name`
  return unknownMembers(
    tool,
    // Google takes both spellings, and its client for Python sends this one of schemas.
    ['name', 'description', 'parameters', 'parametersJsonSchema', 'parameters_json_schema', 'response', 'behavior'],
    `${where}.`,
  )
}

/** Google's own tools beside functions (ai.google.dev/gemini-api/docs/tool-combination, github.com/vercel/ai/issues/14655). */
const checkMixture = (body: Json, model: string, atVertex: boolean): Complaint => {
  const names = list(body.tools).flatMap(Object.keys)
  const isMixed = names.includes('functionDeclarations') && names.some((name) => name !== 'functionDeclarations')
  const config = objectAt(body, 'toolConfig')
  const showsServerCalls = config.includeServerSideToolInvocations === true
  if (atVertex && config.includeServerSideToolInvocations !== undefined)
    return 'Unknown name "includeServerSideToolInvocations" at \'tool_config\': Cannot find field.'
  if (!isMixed) return undefined
  if (!isThird(model)) return 'Tool use with function calling is unsupported'
  if (atVertex) return undefined
  if (!showsServerCalls)
    return 'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.'
  return objectAt(config, 'functionCallingConfig').mode === 'AUTO'
    ? 'AUTO is not supported with tool combination'
    : undefined
}

export const refusesGenerate = (body: Json, seals: Seals, model: string, atVertex: boolean): Complaint => {
  const contents = list(body.contents)
  return firstOf(
    () => unknownMembers(body, members, 'Unknown name '),
    () => (contents.length > 0 ? undefined : 'contents is not specified'),
    () => checkMixture(body, model, atVertex),
    () =>
      each(list(body.tools), (tool, at) =>
        each(list(tool.functionDeclarations), (its_, number) => checkDeclaration(its_, `tools[${at}].${number}`)),
      ),
    () =>
      each(contents, (content, at) => {
        if (content.role !== 'user' && content.role !== 'model') return 'Please use a valid role: user, model.'
        if (list(content.parts).length === 0) return `contents[${at}].parts: must include at least one parts field`
        return each(list(content.parts), (part, number) =>
          checkPart(part, `contents[${at}].parts[${number}]`, seals, model),
        )
      }),
    () => (contents[0]?.role === 'user' ? undefined : 'function call turn comes immediately after a user turn'),
    () => checkCalls(contents, model),
    () => checkSettings(objectAt(body, 'generationConfig'), model),
  )
}

/** A generateContent request in words that all languages share. */
export const readGenerate = (body: Json, seals: Seals): ReceivedRequest => {
  const contents = list(body.contents)
  const parts = (role: string): Json[] =>
    contents.flatMap((content) => (content.role === role ? list(content.parts) : []))
  const texts = (all: readonly Json[]): string[] =>
    all.flatMap((part) => (typeof part.text === 'string' && part.thought !== true ? [part.text] : []))
  return {
    system: texts(list(objectAt(body, 'systemInstruction').parts)).join('\n'),
    userTexts: texts(parts('user')),
    assistantTexts: texts(parts('model')),
    thoughts: parts('model').flatMap(({ thoughtSignature: seal }) => seals.thoughtOf(text(seal)) ?? []),
    calls: contents.flatMap(callsOf).map(({ id, name, args }) => ({ id: text(id), name: text(name), input: args })),
    results: contents.flatMap(resultsOf).map(({ id, response }) => ({ id: text(id), text: JSON.stringify(response) })),
    tools: list(body.tools).flatMap((tool) =>
      list(tool.functionDeclarations).map(({ name, parametersJsonSchema, parameters_json_schema: schema }) => ({
        name: text(name),
        schema: parametersJsonSchema ?? schema,
      })),
    ),
    pictures: picturesIn(body),
  }
}

const ids = { next: 0 }

const partsOf = (step: Step, body: Json, seals: Seals, model: string): Json[] => {
  const thinking = objectAt(objectAt(body, 'generationConfig'), 'thinkingConfig')
  // Google takes both spellings, and its client for Python sends this one.
  const shows = (thinking.includeThoughts ?? thinking.include_thoughts) === true
  const thought = step.thought ?? ''
  const calls = step.calls.map(({ name, input }, at) => {
    ids.next += 1
    const args = typeof input === 'string' ? { input } : input
    const id = isThird(model) ? { id: `g${ids.next}` } : {}
    return {
      functionCall: { ...id, name, args },
      ...(at === 0 && isThird(model) ? { thoughtSignature: seals.issue(thought) } : {}),
    }
  })
  return [
    ...(shows ? letters(thought).map((letter) => ({ text: letter, thought: true })) : []),
    ...letters(step.text ?? '').map((letter) => ({ text: letter })),
    ...calls,
    // The last text is signed, too, in a part of its own.
    ...(calls.length === 0 && thought !== '' ? [{ text: '', thoughtSignature: seals.issue(thought) }] : []),
  ]
}

/** Target of a `generateContent` request: the address has what other dialects have in the body. */
export interface RequestTarget {
  readonly model: string
  readonly stream: boolean
  readonly path: string
  /** The header `anthropic-beta`; empty for none. */
  readonly betas: string
}

/** A step as a generateContent answer, whole or in pieces. */
export const asGenerated = (
  step: Step,
  body: Json,
  tokens: Tokens,
  seals: Seals,
  { model, stream }: RequestTarget,
): string => {
  const parts = partsOf(step, body, seals, model)
  const { input, cached, output, thought } = tokens
  const usageMetadata = {
    promptTokenCount: input + cached,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thought,
    thoughtsTokenCount: thought,
    totalTokenCount: input + cached + output,
  }
  const head = { modelVersion: model, responseId: `response-${ids.next}` }
  const answer = (its_: readonly Json[], more: Json): Json => ({
    candidates: [{ content: { role: 'model', parts: its_ }, index: 0, ...more }],
    usageMetadata,
    ...head,
  })
  if (!stream) return JSON.stringify(answer(parts, { finishReason: 'STOP' }))
  const pieces = parts.map((part, at) => answer([part], at === parts.length - 1 ? { finishReason: 'STOP' } : {}))
  return pieces.map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`).join('')
}
