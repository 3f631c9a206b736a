import {
  count,
  createDraft,
  isJson,
  type Json,
  list,
  objectAt,
  type ParsedAnswer,
  parsedAnswer,
  text,
} from './parsed-answer.ts'

/** Parses answers of providers whose dialect no client speaks. */

const argumentsText = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

/** Parses Bedrock Converse: an answer, or its events, each keyed by the event's name. */
export const parseConverseAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  const calls = new Map<unknown, number>()
  const addBlock = (block: Json, index: unknown): void => {
    all.text += text(block.text)
    const thought = objectAt(block, 'reasoningContent')
    all.thinking += text(thought.text) || text(objectAt(thought, 'reasoningText').text)
    // Tools on the provider's side are no calls.
    if (!isJson(block.toolUse) || block.toolUse.type === 'server_tool_use') return
    const { toolUseId, name, input } = block.toolUse
    const begunCall = all.calls[calls.get(index) ?? -1]
    if (toolUseId === undefined) {
      if (begunCall !== undefined) begunCall.rawArguments += text(input)
      return
    }
    calls.set(index, all.calls.length)
    all.calls.push({
      id: text(toolUseId),
      name: text(name),
      rawArguments: input === undefined ? '' : argumentsText(input),
    })
  }
  for (const answer of answers) {
    list(objectAt(objectAt(answer, 'output'), 'message').content).forEach(addBlock)
    const { contentBlockStart, contentBlockDelta, messageStop, metadata } = answer
    if (isJson(contentBlockStart)) addBlock(objectAt(contentBlockStart, 'start'), contentBlockStart.contentBlockIndex)
    if (isJson(contentBlockDelta)) addBlock(objectAt(contentBlockDelta, 'delta'), contentBlockDelta.contentBlockIndex)
    all.finish = text(answer.stopReason) || text(objectAt({ messageStop }, 'messageStop').stopReason) || all.finish
    const usage = isJson(answer.usage) ? answer.usage : objectAt({ metadata }, 'metadata').usage
    if (!isJson(usage)) continue
    const cached = count(usage.cacheReadInputTokens)
    const input = count(usage.inputTokens) + cached + count(usage.cacheWriteInputTokens)
    all.usage = { input, cached, output: count(usage.outputTokens) }
  }
  return parsedAnswer(all)
}

/** Parses Cohere v2; the tool plan counts as text. */
export const parseCohereAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  const addMessage = (message: Json): void => {
    all.text += text(message.tool_plan)
    for (const part of Array.isArray(message.content) ? list(message.content) : [objectAt(message, 'content')]) {
      all.text += text(part.text)
      all.thinking += text(part.thinking)
    }
    for (const call of Array.isArray(message.tool_calls)
      ? list(message.tool_calls)
      : [objectAt(message, 'tool_calls')]) {
      const { name, arguments: rawArguments } = objectAt(call, 'function')
      if (call.id !== undefined)
        all.calls.push({ id: text(call.id), name: text(name), rawArguments: text(rawArguments) })
      else if (rawArguments !== undefined) {
        const last = all.calls.at(-1)
        if (last !== undefined) last.rawArguments += text(rawArguments)
      }
    }
  }
  for (const answer of answers) {
    const delta = objectAt(answer, 'delta')
    addMessage(isJson(answer.message) ? answer.message : objectAt(delta, 'message'))
    all.finish = text(answer.finish_reason) || text(delta.finish_reason) || all.finish
    const usage = isJson(answer.usage) ? answer.usage : objectAt(delta, 'usage')
    const tokens = objectAt(usage, 'tokens')
    if (tokens.input_tokens === undefined) continue
    const input = count(tokens.input_tokens)
    all.usage = { input, cached: Math.min(count(usage.cached_tokens), input), output: count(tokens.output_tokens) }
  }
  return parsedAnswer(all)
}

/** Parses Ollama's own chat protocol. */
export const parseOllamaAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  for (const answer of answers) {
    const message = objectAt(answer, 'message')
    all.text += text(message.content)
    all.thinking += text(message.thinking)
    for (const call of list(message.tool_calls)) {
      const { name, arguments: rawArguments } = objectAt(call, 'function')
      all.calls.push({ id: text(call.id), name: text(name), rawArguments: argumentsText(rawArguments) })
    }
    all.finish = text(answer.done_reason) || all.finish
    if (answer.eval_count === undefined) continue
    all.usage = { input: count(answer.prompt_eval_count), cached: 0, output: count(answer.eval_count) }
  }
  return parsedAnswer(all)
}

const contentOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(part.text))
        .join('')

/** Parses DashScope's own protocol. Deep research and the oldest format have no list of choices. */
export const parseDashscopeAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  for (const answer of answers) {
    const output = objectAt(answer, 'output')
    const [choice = { ...output, message: output.message ?? { content: output.text } }] = list(output.choices)
    const message = objectAt(choice, 'message')
    all.text += contentOf(message.content)
    all.thinking += text(message.reasoning_content)
    for (const call of list(message.tool_calls)) {
      const { name, arguments: rawArguments } = objectAt(call, 'function')
      const begunCall = all.calls[count(call.index)]
      if (begunCall === undefined)
        all.calls.push({ id: text(call.id), name: text(name), rawArguments: text(rawArguments) })
      else begunCall.rawArguments += text(rawArguments)
    }
    all.finish = choice.finish_reason === 'null' ? all.finish : text(choice.finish_reason) || all.finish
    const { usage } = answer
    if (!isJson(usage)) continue
    const cached = count(objectAt(usage, 'prompt_tokens_details').cached_tokens)
    all.usage = { input: count(usage.input_tokens), cached, output: count(usage.output_tokens) }
  }
  return parsedAnswer(all)
}
