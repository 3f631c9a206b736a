import { count, isJson, its, type Json, list, type Telling, type Told, telling, text, toldOf } from './told.ts'

/** Responses of OpenAI and of those who speak like it. The last event repeats the whole answer. */

const thoughtOf = (item: Json): string => {
  const summary = list(item.summary)
  return (summary.length > 0 ? summary : list(item.content)).map((part) => text(part.text)).join('\n\n')
}

const addItem = (all: Telling, item: Json): boolean => {
  switch (item.type) {
    case 'message': {
      const parts = list(item.content)
      all.text += parts.map((part) => text(part.text) + text(part.refusal)).join('')
      return parts.some(({ type }) => type === 'refusal')
    }
    case 'reasoning':
      all.thinking += thoughtOf(item)
      break
    case 'function_call':
      all.calls.push({ id: text(item.call_id), name: text(item.name), words: text(item.arguments) })
      break
    case 'custom_tool_call':
      all.calls.push({ id: text(item.call_id), name: text(item.name), words: text(item.input) })
      break
    default:
  }
  return false
}

const lastOf = (answers: readonly Json[]): Json => {
  const end = answers.findLast(({ type }) => /^response\.(completed|incomplete|failed)$/.test(text(type)))
  return end === undefined ? (answers[0] ?? {}) : its(end, 'response')
}

export const toldInResponses = (answers: readonly Json[]): Told => {
  const all = telling()
  const response = lastOf(answers)
  // Some leave the items out at the end; then each was told when it was done.
  const done = answers.flatMap((event) => (event.type === 'response.output_item.done' ? [its(event, 'item')] : []))
  const output = list(response.output)
  const refused = (output.length > 0 ? output : done).map((item) => addItem(all, item)).some(Boolean)
  const { usage } = response
  if (isJson(usage)) {
    const input = count(usage.input_tokens)
    const cached = count(its(usage, 'input_tokens_details').cached_tokens)
    const output_ = Math.max(count(usage.output_tokens), count(usage.total_tokens) - input)
    if (input + output_ > 0) all.usage = { input, cached: Math.min(cached, input), output: output_ }
  }
  all.finish = text(its(response, 'incomplete_details').reason) || (refused ? 'refusal' : '')
  return toldOf(all)
}
