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

/** Parses responses of OpenAI and compatible providers. The last event repeats the whole answer. */

const thoughtOf = (item: Json): string => {
  const summary = list(item.summary)
  return (summary.length > 0 ? summary : list(item.content)).map((part) => text(part.text)).join('\n\n')
}

const addItem = (all: AnswerDraft, item: Json): boolean => {
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
      all.calls.push({ id: text(item.call_id), name: text(item.name), rawArguments: text(item.arguments) })
      break
    case 'custom_tool_call':
      all.calls.push({ id: text(item.call_id), name: text(item.name), rawArguments: text(item.input) })
      break
    default:
  }
  return false
}

const lastOf = (answers: readonly Json[]): Json => {
  const end = answers.findLast(({ type }) => /^response\.(completed|incomplete|failed)$/.test(text(type)))
  return end === undefined ? (answers[0] ?? {}) : objectAt(end, 'response')
}

export const parseResponsesAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  const response = lastOf(answers)
  // Some providers omit the items from the last event; then the items of the `done` events count.
  const done = answers.flatMap((event) => (event.type === 'response.output_item.done' ? [objectAt(event, 'item')] : []))
  const output = list(response.output)
  const refused = (output.length > 0 ? output : done).map((item) => addItem(all, item)).some(Boolean)
  const { usage } = response
  if (isJson(usage)) {
    const input = count(usage.input_tokens)
    const cached = count(objectAt(usage, 'input_tokens_details').cached_tokens)
    const output_ = Math.max(count(usage.output_tokens), count(usage.total_tokens) - input)
    if (input + output_ > 0) all.usage = { input, cached: Math.min(cached, input), output: output_ }
  }
  all.finish = text(objectAt(response, 'incomplete_details').reason) || (refused ? 'refusal' : '')
  return parsedAnswer(all)
}
