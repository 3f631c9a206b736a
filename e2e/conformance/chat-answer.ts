import {
  type AnswerDraft,
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

/** Parses chat completions of OpenAI and compatible providers, as sent or as the official client returns them. */

/** Mistral writes thoughts as parts of the content. */
const addContent = (all: AnswerDraft, content: unknown): void => {
  if (typeof content === 'string') all.text += content
  // Cloudflare answers with the object that a schema asked for.
  if (isJson(content)) all.text += JSON.stringify(content)
  for (const part of list(content)) {
    all.text += text(part.text)
    all.thinking += list(part.thinking)
      .map((thought) => text(thought.text))
      .join('')
  }
}

const thoughtOf = (message: Json): string => {
  const details = list(message.reasoning_details).map((detail) => text(detail.text) || text(detail.summary))
  return text(message.reasoning_content) || text(message.reasoning) || details.join('')
}

const rawArguments = (call: Json): { name: string; rawArguments: string } => {
  const { name, arguments: input, input: freeText } = isJson(call.custom) ? call.custom : objectAt(call, 'function')
  return { name: text(name), rawArguments: isJson(input) ? JSON.stringify(input) : text(input) || text(freeText) }
}

const addCalls = (all: AnswerDraft, calls: unknown, begun: Map<number, number>): void => {
  for (const call of list(calls)) {
    const { name, rawArguments: more } = rawArguments(call)
    const index = typeof call.index === 'number' ? call.index : undefined
    const at = index === undefined ? undefined : begun.get(index)
    const begunCall = at === undefined ? undefined : all.calls[at]
    const isNew = begunCall === undefined || (text(call.id) !== '' && text(call.id) !== begunCall.id)
    if (isNew) {
      if (index !== undefined) begun.set(index, all.calls.length)
      all.calls.push({ id: text(call.id), name, rawArguments: more })
    } else begunCall.rawArguments += more
  }
}

/** Adds a `function_call` of models older than tools; some send an empty one. */
const addOlderCall = (all: AnswerDraft, call: unknown): void => {
  const { name, arguments: more } = isJson(call) ? call : {}
  const last = all.calls.at(-1)
  if (text(name) !== '') all.calls.push({ id: '', name: text(name), rawArguments: text(more) })
  else if (last !== undefined) last.rawArguments += text(more)
}

const addUsage = (all: AnswerDraft, usage: unknown): void => {
  if (!isJson(usage)) return
  const prompt = count(usage.prompt_tokens)
  const total = count(usage.total_tokens)
  const cached =
    count(objectAt(usage, 'prompt_tokens_details').cached_tokens) ||
    count(usage.prompt_cache_hit_tokens) ||
    count(usage.num_cached_tokens) ||
    count(usage.cache_read_input_tokens)
  if (prompt + count(usage.completion_tokens) === 0) return
  // Some providers count thinking only in the total; Mistral leaves audio tokens out of the prompt.
  const sound =
    total === prompt + count(usage.completion_tokens) ? 0 : count(objectAt(usage, 'prompt_tokens_details').audio_tokens)
  const input = prompt + sound
  all.usage = {
    input,
    cached: Math.min(cached, input),
    output: Math.max(count(usage.completion_tokens), total - input),
  }
}

const add = (all: AnswerDraft, message: Json, begun: Map<number, number>): void => {
  addContent(all, message.content)
  all.text += text(message.refusal)
  all.thinking += thoughtOf(message)
  addCalls(all, message.tool_calls, begun)
  addOlderCall(all, message.function_call)
}

/** Perplexity repeats the whole message beside each piece, and has an empty piece beside a whole message. */
const messageOf = (choice: Json, inPieces: boolean): Json =>
  isJson(choice.message) && !(inPieces && isJson(choice.delta)) ? choice.message : objectAt(choice, 'delta')

/** The first choice of a completion, or of the chunks of one. */
export const parseChatAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  const begun = new Map<number, number>()
  let refused = false
  for (const answer of answers) {
    addUsage(all, answer.usage)
    addUsage(all, objectAt(answer, 'x_groq').usage)
    for (const choice of list(answer.choices)) {
      if (count(choice.index) !== 0) continue
      const message = messageOf(choice, answers.length > 1)
      refused ||= text(message.refusal) !== ''
      add(all, message, begun)
      all.finish = text(choice.finish_reason) || all.finish
    }
  }
  return parsedAnswer({ ...all, finish: refused && all.finish === 'stop' ? 'refusal' : all.finish })
}
