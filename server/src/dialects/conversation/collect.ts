import type { Answer, AnswerChoice, Finish, Part } from './conversation.ts'
import { defined } from './json.ts'
import { logprobEntries, logprobsOf } from './logprobs.ts'
import { type StreamEvent, standsAlone } from './stream-event.ts'

interface Growing {
  readonly parts: Part[]
  readonly calls: Map<number, number>
  finish: Finish
  stopSequence: string | undefined
  explanation: string | undefined
  readonly logprobs: unknown[]
}

type Event<K extends StreamEvent['kind']> = Extract<StreamEvent, { kind: K }>

const addText = ({ parts }: Growing, event: Event<'text' | 'refusal'>): void => {
  const { kind, text } = event
  const signed = event.kind === 'text' ? defined({ signature: event.signature }) : {}
  const last = parts.at(-1)
  const goesOn = last?.kind === kind && !('signature' in last)
  if (goesOn) parts[parts.length - 1] = { ...last, text: last.text + text, ...signed }
  else if (text !== '' || 'signature' in signed) parts.push({ kind, text, ...signed })
}

const addThought = ({ parts }: Growing, event: Event<'thinking'>): void => {
  const { text, signature, encrypted, id, by } = event
  const last = parts.at(-1)
  const more = defined({ signature, encrypted, id, by })
  const isOpen = last?.kind === 'thinking' && last.signature === undefined && last.encrypted === undefined
  if (isOpen && !standsAlone(event)) parts[parts.length - 1] = { ...last, text: last.text + text, ...more }
  else if (text !== '' || signature !== undefined || encrypted !== undefined)
    parts.push({ kind: 'thinking', text, ...more })
}

const addCall = ({ parts, calls }: Growing, event: Event<'tool_call'>): void => {
  const { index, choice: _, ...call } = event
  calls.set(index, parts.length)
  parts.push({ ...call, arguments: '' })
}

const addArguments = ({ parts, calls }: Growing, { index, text }: Event<'arguments'>): void => {
  const at = calls.get(index) ?? -1
  const part = parts[at]
  if (part?.kind === 'tool_call') parts[at] = { ...part, arguments: part.arguments + text }
}

const addCitation = ({ parts }: Growing, { citation }: Event<'citation'>): void => {
  const last = parts.at(-1)
  if (last?.kind === 'text') parts[parts.length - 1] = { ...last, citations: [...(last.citations ?? []), citation] }
}

const addAudio = ({ parts }: Growing, { data = '', transcript = '', id }: Event<'audio'>): void => {
  const last = parts.at(-1)
  if (last?.kind === 'audio' && last.source.kind === 'base64') {
    const source = { ...last.source, data: last.source.data + data }
    parts[parts.length - 1] = { ...last, source, transcript: (last.transcript ?? '') + transcript, ...defined({ id }) }
    return
  }
  parts.push({ kind: 'audio', source: { kind: 'base64', mediaType: '', data }, transcript, ...defined({ id }) })
}

const add = (growing: Growing, event: StreamEvent): void => {
  switch (event.kind) {
    case 'text':
      growing.logprobs.push(...logprobEntries(event.logprobs))
      addText(growing, event)
      break
    case 'refusal':
      addText(growing, event)
      break
    case 'thinking':
      addThought(growing, event)
      break
    case 'tool_call':
      addCall(growing, event)
      break
    case 'arguments':
      addArguments(growing, event)
      break
    case 'citation':
      addCitation(growing, event)
      break
    case 'audio':
      addAudio(growing, event)
      break
    case 'part':
      growing.parts.push(event.part)
      break
    case 'finish':
      growing.finish = event.finish
      growing.stopSequence = event.stopSequence
      growing.explanation = event.explanation
      break
    default:
  }
}

const choiceOf = (index: number, { parts, finish, stopSequence, explanation, logprobs }: Growing): AnswerChoice => ({
  index,
  parts,
  finish,
  ...defined({ stopSequence, explanation, logprobs: logprobsOf(logprobs) }),
})

/** Builds an answer from the events of a stream. */
export const collect = (events: readonly StreamEvent[]): Answer => {
  const choices = new Map<number, Growing>()
  const of = (index: number): Growing => {
    const existing = choices.get(index)
    if (existing !== undefined) return existing
    const fresh: Growing = {
      parts: [],
      calls: new Map(),
      finish: 'stop',
      stopSequence: undefined,
      explanation: undefined,
      logprobs: [],
    }
    choices.set(index, fresh)
    return fresh
  }
  let answer: Answer = { id: '', model: '', created: 0, choices: [], usage: undefined }
  for (const event of events) {
    if (event.kind === 'start') {
      const { kind: _kind, ...head } = event
      answer = { ...answer, ...head }
    } else if (event.kind === 'usage') answer = { ...answer, usage: event.usage }
    else if ('choice' in event) add(of(event.choice), event)
  }
  return { ...answer, choices: [...choices].map(([index, growing]) => choiceOf(index, growing)) }
}

const eventsOfPart = (part: Part, choice: number, call: number): StreamEvent[] => {
  switch (part.kind) {
    case 'text':
      return [
        { kind: 'text', choice, text: part.text, ...defined({ signature: part.signature }) },
        ...(part.citations ?? []).map((citation) => ({ kind: 'citation', choice, citation }) as const),
      ]
    case 'refusal':
      return [{ kind: 'refusal', choice, text: part.text }]
    case 'thinking': {
      return [{ choice, ...part }]
    }
    case 'tool_call': {
      const { arguments: text, cache: _, ...fields } = part
      return [
        { choice, index: call, ...fields },
        { kind: 'arguments', choice, index: call, text },
      ]
    }
    case 'image':
    case 'opaque':
      return [{ kind: 'part', choice, part }]
    case 'audio':
      return part.source.kind === 'base64'
        ? [{ kind: 'audio', choice, data: part.source.data, ...defined({ transcript: part.transcript, id: part.id }) }]
        : []
    default:
      return []
  }
}

/** Attaches the log probabilities to the first text event. */
const withLogprobs = (events: StreamEvent[], logprobs: unknown): StreamEvent[] => {
  const first = events.findIndex(({ kind }) => kind === 'text')
  if (logprobEntries(logprobs).length === 0 || first < 0) return events
  return events.map((event, at) => (at === first && event.kind === 'text' ? { ...event, logprobs } : event))
}

const eventsOfChoice = ({ index, parts, finish, stopSequence, explanation, logprobs }: AnswerChoice): StreamEvent[] => {
  let calls = 0
  const events = parts.flatMap((part) => {
    const events = eventsOfPart(part, index, calls)
    if (part.kind === 'tool_call') calls += 1
    return events
  })
  const end = { kind: 'finish', choice: index, finish, ...defined({ stopSequence, explanation }) } as const
  return [...withLogprobs(events, logprobs), end]
}

/** Converts a whole answer to stream events, for clients that request a stream from an upstream without streams. */
export const eventsOf = (answer: Answer): StreamEvent[] => {
  const { choices, usage, ...head } = answer
  return [
    { kind: 'start', ...head },
    ...choices.flatMap(eventsOfChoice),
    ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'end' },
  ]
}
