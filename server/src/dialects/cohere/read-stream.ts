import { isObject, type JsonObject, membersOf, parsedJson, textOf } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { failureOf, readCitations, readFinish, readUsage } from './answer.ts'

const contentEvents = (content: JsonObject): StreamEvent[] => {
  const thought = textOf(content.thinking)
  const text = textOf(content.text)
  return [
    ...(thought === '' ? [] : [{ kind: 'thinking', choice: 0, text: thought } as const]),
    ...(text === '' ? [] : [{ kind: 'text', choice: 0, text } as const]),
  ]
}

const endEvents = (delta: JsonObject): StreamEvent[] => {
  const failure = failureOf(delta.finish_reason)
  if (failure !== undefined) {
    return [{ kind: 'error', type: failure.type ?? 'upstream_error', message: textOf(delta.error) || failure.message }]
  }
  const usage = readUsage(delta.usage)
  return [
    ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'finish', choice: 0, finish: readFinish(delta.finish_reason) },
  ]
}

/** Reads the events of a chat stream (docs.cohere.com/reference/chat-stream). */
export const openReader = (): StreamReader => {
  let calls = 0
  let ended = false

  const callEvents = (call: JsonObject): StreamEvent[] => {
    const { name, arguments: text } = membersOf(call.function)
    const index = calls
    calls += 1
    const begun: StreamEvent = { kind: 'tool_call', choice: 0, index, id: textOf(call.id), name: textOf(name) }
    return textOf(text) === '' ? [begun] : [begun, { kind: 'arguments', choice: 0, index, text: textOf(text) }]
  }

  const eventsOf = (event: JsonObject): StreamEvent[] => {
    const delta = membersOf(event.delta)
    const message = membersOf(delta.message)
    const call = membersOf(message.tool_calls)
    switch (event.type) {
      case 'message-start':
        return [{ kind: 'start', id: textOf(event.id), model: '', created: 0 }]
      case 'content-start':
      case 'content-delta':
        return contentEvents(membersOf(message.content))
      case 'tool-plan-delta':
        return [{ kind: 'text', choice: 0, text: textOf(message.tool_plan) }]
      case 'tool-call-start':
        return callEvents(call)
      case 'tool-call-delta':
        return [{ kind: 'arguments', choice: 0, index: calls - 1, text: textOf(membersOf(call.function).arguments) }]
      case 'citation-start':
        return readCitations(membersOf(message.citations)).map((citation) => ({
          kind: 'citation',
          choice: 0,
          citation,
        }))
      case 'message-end':
        return endEvents(delta)
      default:
        return typeof event.message === 'string'
          ? [{ kind: 'error', type: 'upstream_error', message: event.message }]
          : []
    }
  }

  const finish = (): StreamEvent[] => {
    if (ended) return []
    ended = true
    return [{ kind: 'end' }]
  }

  return {
    read(data) {
      if (data === '[DONE]') return finish()
      const event = parsedJson(data)
      return isObject(event) ? eventsOf(event) : []
    },
    end: finish,
  }
}
