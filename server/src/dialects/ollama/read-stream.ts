import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textOf } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { argumentsOf, callId, createdOf, errorOf, logprobsIn, readFinish, readUsage } from './answer.ts'

/** Reads the lines of a chat stream (docs.ollama.com/api/streaming). */
export const openReader = (): StreamReader => {
  let started = false
  let ended = false
  let calls = 0

  const startOf = (line: JsonObject): StreamEvent[] => {
    if (started) return []
    started = true
    return [{ kind: 'start', id: '', model: textOf(line.model), created: createdOf(line) }]
  }

  /** Each call arrives in one line. */
  const callEvents = (call: JsonObject, line: JsonObject): StreamEvent[] => {
    const index = calls
    calls += 1
    const name = textOf(membersOf(call.function).name)
    return [
      { kind: 'tool_call', choice: 0, index, id: callId(call, line, index), name },
      { kind: 'arguments', choice: 0, index, text: argumentsOf(call) },
    ]
  }

  const messageEvents = (line: JsonObject): StreamEvent[] => {
    const message = membersOf(line.message)
    const thinking = textOf(message.thinking)
    const content = textOf(message.content)
    // Those of thoughts have no place in other dialects.
    const sure = thinking === '' ? logprobsIn(line) : {}
    return [
      ...(thinking === '' ? [] : [{ kind: 'thinking', choice: 0, text: thinking } as const]),
      ...(content === '' && !('logprobs' in sure)
        ? []
        : [{ kind: 'text', choice: 0, text: content, ...sure } as const]),
      ...objectsOf(message.tool_calls).flatMap((call) => callEvents(call, line)),
    ]
  }

  const finish = (): StreamEvent[] => {
    if (ended) return []
    ended = true
    return [{ kind: 'end' }]
  }

  const lastEvents = (line: JsonObject): StreamEvent[] => {
    if (line.done !== true) return []
    const usage = readUsage(line)
    return [
      { kind: 'finish', choice: 0, finish: readFinish(line.done_reason, calls > 0) },
      ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
      ...finish(),
    ]
  }

  return {
    read(data) {
      const line = parsedJson(data)
      if (!isObject(line)) return []
      const error = errorOf(line)
      if (error !== undefined) return [{ kind: 'error', type: 'upstream_error', message: error.message }]
      return [...startOf(line), ...messageEvents(line), ...lastEvents(line)]
    },
    end: finish,
  }
}
