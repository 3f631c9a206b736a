import type { Answer, Part } from './conversation/conversation.ts'
import type { StreamEvent } from './conversation/stream-event.ts'
import type { StreamReader, UpstreamDialect } from './dialect.ts'
import { createThinkingSplitter } from './thought-tags.ts'

/** Answers whose thoughts stand in tags at the beginning of the text, read as thoughts. */

type Splitter = ReturnType<typeof createThinkingSplitter>

/** Some answers hold a thought twice, in a member of its own and in the text. */
const holdsThoughts = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.kind === 'thinking' && part.text !== '')

const splitParts = (parts: readonly Part[]): Part[] => {
  const [at, isTwice] = [parts.findIndex(({ kind }) => kind === 'text'), holdsThoughts(parts)]
  return parts.flatMap((part, place): Part[] => {
    if (place !== at || part.kind !== 'text') return [part]
    const splitter = createThinkingSplitter()
    const pieces = [...splitter.push(part.text), ...splitter.rest()]
    if (pieces.every(({ kind }) => kind === 'text')) return [part]
    const thought = pieces.flatMap(({ kind, text }) => (kind === 'thinking' ? [text] : [])).join('')
    const text = pieces.flatMap(({ kind, text: said }) => (kind === 'text' ? [said] : [])).join('')
    return [
      ...(isTwice || thought === '' ? [] : [{ kind: 'thinking', text: thought } as const]),
      ...(text === '' ? [] : [{ ...part, text }]),
    ]
  })
}

const splitAnswer = (answer: Answer): Answer => ({
  ...answer,
  choices: answer.choices.map((choice) => ({ ...choice, parts: splitParts(choice.parts) })),
})

const splitStream = (reader: StreamReader): StreamReader => {
  const splitters = new Map<number, Splitter>()
  const thinking = new Set<number>()

  const eventsOf = (pieces: ReturnType<Splitter['push']>, choice: number): StreamEvent[] =>
    pieces.flatMap(({ kind, text }) => (kind === 'thinking' && thinking.has(choice) ? [] : [{ kind, choice, text }]))

  const restOf = (choice: number): StreamEvent[] => {
    const rest = splitters.get(choice)?.rest() ?? []
    splitters.delete(choice)
    return eventsOf(rest, choice)
  }

  const split = (event: StreamEvent): StreamEvent[] => {
    if (event.kind === 'thinking' && event.text !== '') thinking.add(event.choice)
    if (event.kind === 'finish') return [...restOf(event.choice), event]
    if (event.kind === 'tool_call') return [...restOf(event.choice), event]
    if (event.kind !== 'text' || event.logprobs !== undefined) return [event]
    const splitter = splitters.get(event.choice) ?? createThinkingSplitter()
    splitters.set(event.choice, splitter)
    return eventsOf(splitter.push(event.text), event.choice)
  }

  return {
    read: (data, event) => reader.read(data, event).flatMap(split),
    end: () => {
      const left = reader.end().flatMap(split)
      return [...[...splitters.keys()].flatMap(restOf), ...left]
    },
  }
}

/** The dialect, for a model whose thoughts come in tags. */
export const withTaggedThoughts = (dialect: UpstreamDialect): UpstreamDialect => ({
  ...dialect,
  readAnswer: (json) => splitAnswer(dialect.readAnswer(json)),
  openStream: () => splitStream(dialect.openStream()),
})
