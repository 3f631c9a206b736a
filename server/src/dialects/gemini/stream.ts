import { noUsage } from '../../billing/usage.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Conversation, Part } from '../conversation.ts'
import type { StreamReader, StreamWriter } from '../dialect.ts'
import { given, isObject, type Members, membersOf, numberIn, objectsOf, parsedJson, textIn, textOf } from '../json.ts'
import type { StreamEvent } from '../stream-event.ts'
import { answerPart, readCitations, readFinish, readUsage, writeFinish, writeUsage } from './answer.ts'
import { growArguments } from './partial-arguments.ts'
import { inventedId, readPart } from './parts.ts'

/** Reads generateContent answers that come in pieces. Nothing marks the end but the end itself. */
export const openReader = (): StreamReader => {
  const calls = new Map<number, number>()
  const growing = new Map<number, Members>()
  let started = false

  const nextCall = (choice: number): number => {
    const index = calls.get(choice) ?? 0
    calls.set(choice, index + 1)
    return index
  }

  const callEvents = (choice: number, call: Members, signature: string | undefined): StreamEvent[] => {
    const index = nextCall(choice)
    const name = textOf(call.name)
    const id = textOf(call.id) || inventedId(index + 1, name)
    return [
      { kind: 'tool_call', choice, index, id, name, ...given({ signature }) },
      { kind: 'arguments', choice, index, text: JSON.stringify(call.args ?? {}) },
    ]
  }

  /** Vertex may send a call's arguments piece by piece; they are told when they are whole. */
  const growingEvents = (choice: number, call: Members, signature: string | undefined): StreamEvent[] => {
    const before = growing.get(choice)
    const whole: Members = {
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

  const partEvents = (choice: number, raw: Members): StreamEvent[] => {
    const call = raw.functionCall ?? raw.function_call
    if (isObject(call)) {
      const signature = textIn(raw.thoughtSignature)
      const isPiece = Array.isArray(call.partialArgs) || call.willContinue === true || growing.has(choice)
      return isPiece ? growingEvents(choice, call, signature) : callEvents(choice, call, signature)
    }
    const part = readPart(raw)
    switch (part.kind) {
      case 'text':
        return [{ kind: 'text', choice, text: part.text, ...given({ signature: part.signature }) }]
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

  const candidateEvents = (candidate: Members, position: number): StreamEvent[] => {
    const choice = numberIn(candidate.index) ?? position
    const citations = readCitations(membersOf(candidate.groundingMetadata))
    const events = [
      ...objectsOf(membersOf(candidate.content).parts).flatMap((part) => partEvents(choice, part)),
      ...citations.map((citation) => ({ kind: 'citation', choice, citation }) as const),
    ]
    if (typeof candidate.finishReason !== 'string') return events
    const finish = readFinish(candidate.finishReason, (calls.get(choice) ?? 0) > 0)
    return [...events, { kind: 'finish', choice, finish }]
  }

  const startOf = (chunk: Members): StreamEvent[] => {
    if (started) return []
    started = true
    return [{ kind: 'start', id: textOf(chunk.responseId), model: textOf(chunk.modelVersion), created: 0 }]
  }

  return {
    read(data) {
      const chunk = parsedJson(data)
      if (!isObject(chunk)) return []
      if (isObject(chunk.error)) {
        const { message, status, code } = chunk.error
        return [
          { kind: 'error', type: textOf(status) || 'upstream_error', message: textOf(message), code: String(code) },
        ]
      }
      const usage = readUsage(chunk.usageMetadata)
      const isBlocked = membersOf(chunk.promptFeedback).blockReason !== undefined
      return [
        ...startOf(chunk),
        ...objectsOf(chunk.candidates).flatMap(candidateEvents),
        ...(isBlocked ? [{ kind: 'finish', choice: 0, finish: 'content_filter' } as const] : []),
        ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
      ]
    },
    end: () => [{ kind: 'end' }],
  }
}

interface OpenCall {
  readonly choice: number
  readonly index: number
  readonly id: string
  readonly name: string
  readonly signature?: string
  text: string
}

/** Prints pieces of a generateContent answer. Calls are told whole; the last piece has the reason and the usage. */
export const openWriter = ({ model }: Conversation): StreamWriter => {
  let head: Members = { modelVersion: model, responseId: '' }
  let usage = noUsage
  let refused = false
  let calls: OpenCall[] = []
  const finished: { choice: number; reason: string }[] = []

  const piece = (choice: number, parts: readonly Members[], more: Members = {}): string =>
    dataEvent(JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: choice, ...more }], ...head }))

  const told = (choice: number, part: Part): string => {
    const parts = answerPart(part)
    return parts.length === 0 ? '' : piece(choice, parts)
  }

  const flushCalls = (): string => {
    const text = calls
      .map(({ choice, id, name, signature, text: args }) =>
        told(choice, { kind: 'tool_call', id, name, arguments: args, ...given({ signature }) }),
      )
      .join('')
    calls = []
    return text
  }

  const last = (): string => {
    const candidates = finished.map(({ choice, reason }) => ({
      content: { role: 'model', parts: [{ text: '' }] },
      finishReason: reason,
      index: choice,
    }))
    return dataEvent(JSON.stringify({ candidates, usageMetadata: writeUsage(usage), ...head }))
  }

  return {
    write(event) {
      switch (event.kind) {
        case 'start':
          head = { modelVersion: event.model || model, responseId: event.id }
          return ''
        case 'text':
          return (
            flushCalls() +
            told(event.choice, { kind: 'text', text: event.text, ...given({ signature: event.signature }) })
          )
        case 'refusal':
          refused ||= event.text !== ''
          return flushCalls() + told(event.choice, { kind: 'text', text: event.text })
        case 'thinking': {
          const { choice, ...part } = event
          return flushCalls() + told(choice, part)
        }
        case 'tool_call': {
          const { choice, index, id, name, signature } = event
          calls.push({ choice, index, id, name, text: '', ...given({ signature }) })
          return ''
        }
        case 'arguments': {
          const call = calls.find(({ choice, index }) => choice === event.choice && index === event.index)
          if (call !== undefined) call.text += event.text
          return ''
        }
        case 'part':
          return flushCalls() + told(event.choice, event.part)
        case 'audio':
          return event.data === undefined
            ? ''
            : piece(event.choice, [{ inlineData: { mimeType: 'audio/pcm', data: event.data } }])
        case 'finish':
          finished.push({
            choice: event.choice,
            reason: writeFinish(refused && event.finish === 'stop' ? 'refusal' : event.finish),
          })
          return flushCalls()
        case 'usage':
          usage = event.usage
          return ''
        case 'error':
          return dataEvent(JSON.stringify({ error: { code: 500, message: event.message, status: 'INTERNAL' } }))
        case 'end':
          return flushCalls() + last()
        case 'citation':
          return ''
      }
    },
  }
}
