import { randomUUID } from 'node:crypto'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { type StreamEvent, usageEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { withExtras } from '../tools/tools-used.ts'
import { blockedFor, explanationIn, readFinish, readUsage } from './answer.ts'
import { readCitations, readSearch } from './grounding.ts'
import { readLogprobs } from './logprobs.ts'
import { growArguments } from './partial-arguments.ts'
import { inventedId, readPart } from './parts.ts'
import { openGrounding, statesStandard } from './tools-used.ts'

/** Attaches the log probabilities of a chunk to its first text event. */
const withLogprobs = (events: StreamEvent[], choice: number, logprobs: JsonObject | undefined): StreamEvent[] => {
  if (logprobs === undefined) return events
  const first = events.findIndex(({ kind }) => kind === 'text')
  if (first < 0) return [...events, { kind: 'text', choice, text: '', logprobs }]
  return events.map((event, at) => (at === first && event.kind === 'text' ? { ...event, logprobs } : event))
}

/** Google refused the prompt. */
const blockedEvent = (chunk: JsonObject): StreamEvent => ({
  kind: 'finish',
  choice: 0,
  finish: 'content_filter',
  ...defined({ explanation: blockedFor(chunk) }),
})

/** Reads a generateContent stream. It has no end mark: the stream ends when the connection does. */
export const openReader = (): StreamReader => {
  const calls = new Map<number, number>()
  const growing = new Map<number, JsonObject>()
  const grounding = openGrounding()
  const textByChoice = new Map<number, string>()
  /** Choices whose searches have been emitted. */
  const searched = new Set<number>()
  let started = false
  let answer = ''

  const nextCall = (choice: number): number => {
    const index = calls.get(choice) ?? 0
    calls.set(choice, index + 1)
    return index
  }

  const callEvents = (choice: number, call: JsonObject, signature: string | undefined): StreamEvent[] => {
    const index = nextCall(choice)
    const name = textOf(call.name)
    const id = textOf(call.id) || inventedId(index + 1, answer)
    return [
      { kind: 'tool_call', choice, index, id, name, ...defined({ signature }) },
      { kind: 'arguments', choice, index, text: JSON.stringify(call.args ?? {}) },
    ]
  }

  /** Vertex may send the arguments of a call in pieces. They are emitted once complete. */
  const growingEvents = (choice: number, call: JsonObject, signature: string | undefined): StreamEvent[] => {
    const before = growing.get(choice)
    const whole: JsonObject = {
      name: textOf(call.name) || before?.name,
      id: textOf(call.id) || before?.id,
      signature: signature ?? before?.signature,
      args: growArguments(membersOf(before?.args), objectsOf(call.partialArgs)),
    }
    if (call.willContinue === true) {
      growing.set(choice, whole)
      return []
    }
    growing.delete(choice)
    return callEvents(choice, whole, textIn(whole.signature))
  }

  const partEvents = (choice: number, raw: JsonObject): StreamEvent[] => {
    const call = raw.functionCall ?? raw.function_call
    if (isObject(call)) {
      const signature = textIn(raw.thoughtSignature)
      const isPiece = Array.isArray(call.partialArgs) || call.willContinue === true || growing.has(choice)
      return isPiece ? growingEvents(choice, call, signature) : callEvents(choice, call, signature)
    }
    const part = readPart(raw)
    switch (part.kind) {
      case 'text':
        return [{ kind: 'text', choice, text: part.text, ...defined({ signature: part.signature }) }]
      case 'thinking':
        return [{ choice, ...part }]
      case 'image':
      case 'opaque':
        return [{ kind: 'part', choice, part }]
      case 'audio':
        return part.source.kind === 'base64' ? [{ kind: 'audio', choice, data: part.source.data }] : []
      default:
        return []
    }
  }

  const candidateEvents = (candidate: JsonObject, position: number): StreamEvent[] => {
    const choice = numberIn(candidate.index) ?? position
    const partsRead = objectsOf(membersOf(candidate.content).parts).flatMap((part) => partEvents(choice, part))
    for (const event of partsRead)
      if (event.kind === 'text') textByChoice.set(choice, (textByChoice.get(choice) ?? '') + event.text)
    const citations = readCitations(membersOf(candidate.groundingMetadata), textByChoice.get(choice) ?? '')
    const events: StreamEvent[] = [
      ...withLogprobs(partsRead, choice, readLogprobs(candidate)),
      ...citations.map((citation) => ({ kind: 'citation', choice, citation }) as const),
    ]
    const search = searched.has(choice) ? undefined : readSearch(membersOf(candidate.groundingMetadata), answer)
    if (search !== undefined) {
      searched.add(choice)
      events.push({ kind: 'part', choice, part: search })
    }
    if (typeof candidate.finishReason !== 'string') return events
    const finish = readFinish(candidate.finishReason, (calls.get(choice) ?? 0) > 0)
    return [...events, { kind: 'finish', choice, finish, ...defined({ explanation: explanationIn(candidate) }) }]
  }

  const startOf = (chunk: JsonObject): StreamEvent[] => {
    if (started) return []
    started = true
    answer = textOf(chunk.responseId) || randomUUID()
    return [
      {
        kind: 'start',
        id: textOf(chunk.responseId),
        model: textOf(chunk.modelVersion),
        created: 0,
        searchesLast: true,
      },
    ]
  }

  return {
    read(data) {
      const chunk = objectIn(data)
      if (chunk === undefined) return []
      if (isObject(chunk.error)) {
        const { message, status, code } = chunk.error
        const type = textOf(status) || 'upstream_error'
        return [{ kind: 'error', type, message: textOf(message), code: String(code), own: chunk.error }]
      }
      grounding.see(chunk.candidates)
      const usage = withExtras(readUsage(chunk.usageMetadata), grounding.extras())
      const isBlocked = membersOf(chunk.promptFeedback).blockReason !== undefined
      return [
        ...startOf(chunk),
        ...objectsOf(chunk.candidates).flatMap(candidateEvents),
        ...(isBlocked ? [blockedEvent(chunk)] : []),
        ...(usage === undefined ? [] : [usageEvent(usage, statesStandard(chunk.usageMetadata))]),
      ]
    },
    end: () => [{ kind: 'end' }],
  }
}
