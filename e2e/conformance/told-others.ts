import { count, isJson, its, type Json, list, type Told, telling, text, toldOf } from './told.ts'

/** Providers whose words no client speaks. */

const wordsOf = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

/** Bedrock's Converse: an answer, or the events of one, each under its name. */
export const toldByConverse = (answers: readonly Json[]): Told => {
  const all = telling()
  const calls = new Map<unknown, number>()
  const addBlock = (block: Json, index: unknown): void => {
    all.text += text(block.text)
    const thought = its(block, 'reasoningContent')
    all.thinking += text(thought.text) || text(its(thought, 'reasoningText').text)
    // Tools on the provider's side are no calls.
    if (!isJson(block.toolUse) || block.toolUse.type === 'server_tool_use') return
    const { toolUseId, name, input } = block.toolUse
    const known = all.calls[calls.get(index) ?? -1]
    if (toolUseId === undefined) {
      if (known !== undefined) known.words += text(input)
      return
    }
    calls.set(index, all.calls.length)
    all.calls.push({ id: text(toolUseId), name: text(name), words: input === undefined ? '' : wordsOf(input) })
  }
  for (const answer of answers) {
    list(its(its(answer, 'output'), 'message').content).forEach(addBlock)
    const { contentBlockStart, contentBlockDelta, messageStop, metadata } = answer
    if (isJson(contentBlockStart)) addBlock(its(contentBlockStart, 'start'), contentBlockStart.contentBlockIndex)
    if (isJson(contentBlockDelta)) addBlock(its(contentBlockDelta, 'delta'), contentBlockDelta.contentBlockIndex)
    all.finish = text(answer.stopReason) || text(its({ messageStop }, 'messageStop').stopReason) || all.finish
    const usage = isJson(answer.usage) ? answer.usage : its({ metadata }, 'metadata').usage
    if (!isJson(usage)) continue
    const cached = count(usage.cacheReadInputTokens)
    const input = count(usage.inputTokens) + cached + count(usage.cacheWriteInputTokens)
    all.usage = { input, cached, output: count(usage.outputTokens) }
  }
  return toldOf(all)
}

/** Cohere's second version; its plan is what it says before it calls. */
export const toldByCohere = (answers: readonly Json[]): Told => {
  const all = telling()
  const addMessage = (message: Json): void => {
    all.text += text(message.tool_plan)
    for (const part of Array.isArray(message.content) ? list(message.content) : [its(message, 'content')]) {
      all.text += text(part.text)
      all.thinking += text(part.thinking)
    }
    for (const call of Array.isArray(message.tool_calls) ? list(message.tool_calls) : [its(message, 'tool_calls')]) {
      const { name, arguments: words } = its(call, 'function')
      if (call.id !== undefined) all.calls.push({ id: text(call.id), name: text(name), words: text(words) })
      else if (words !== undefined) {
        const last = all.calls.at(-1)
        if (last !== undefined) last.words += text(words)
      }
    }
  }
  for (const answer of answers) {
    const delta = its(answer, 'delta')
    addMessage(isJson(answer.message) ? answer.message : its(delta, 'message'))
    all.finish = text(answer.finish_reason) || text(delta.finish_reason) || all.finish
    const usage = isJson(answer.usage) ? answer.usage : its(delta, 'usage')
    const tokens = its(usage, 'tokens')
    if (tokens.input_tokens === undefined) continue
    const input = count(tokens.input_tokens)
    all.usage = { input, cached: Math.min(count(usage.cached_tokens), input), output: count(tokens.output_tokens) }
  }
  return toldOf(all)
}

/** Ollama's own chat. */
export const toldByOllama = (answers: readonly Json[]): Told => {
  const all = telling()
  for (const answer of answers) {
    const message = its(answer, 'message')
    all.text += text(message.content)
    all.thinking += text(message.thinking)
    for (const call of list(message.tool_calls)) {
      const { name, arguments: words } = its(call, 'function')
      all.calls.push({ id: text(call.id), name: text(name), words: wordsOf(words) })
    }
    all.finish = text(answer.done_reason) || all.finish
    if (answer.eval_count === undefined) continue
    all.usage = { input: count(answer.prompt_eval_count), cached: 0, output: count(answer.eval_count) }
  }
  return toldOf(all)
}

const contentOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(part.text))
        .join('')

/** DashScope's own protocol. Deep research and the oldest form leave the list of choices out. */
export const toldByDashscope = (answers: readonly Json[]): Told => {
  const all = telling()
  for (const answer of answers) {
    const output = its(answer, 'output')
    const [choice = { ...output, message: output.message ?? { content: output.text } }] = list(output.choices)
    const message = its(choice, 'message')
    all.text += contentOf(message.content)
    all.thinking += text(message.reasoning_content)
    for (const call of list(message.tool_calls)) {
      const { name, arguments: words } = its(call, 'function')
      const known = all.calls[count(call.index)]
      if (known === undefined) all.calls.push({ id: text(call.id), name: text(name), words: text(words) })
      else known.words += text(words)
    }
    all.finish = choice.finish_reason === 'null' ? all.finish : text(choice.finish_reason) || all.finish
    const { usage } = answer
    if (!isJson(usage)) continue
    const cached = count(its(usage, 'prompt_tokens_details').cached_tokens)
    all.usage = { input: count(usage.input_tokens), cached, output: count(usage.output_tokens) }
  }
  return toldOf(all)
}
