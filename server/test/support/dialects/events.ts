import fc from 'fast-check'
import { noUsage, type Usage } from '../../../src/billing/usage.ts'
import type { DialectName, Finish } from '../../../src/dialects/conversation/conversation.ts'
import { defined } from '../../../src/dialects/conversation/json.ts'
import type { StreamEvent } from '../../../src/dialects/conversation/stream-event.ts'

/** Streams as providers may send them: any words, any cuts, calls one after the other or all at once. */

const dialectNames: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

/** Words that could be mistaken for something else, and any others. */
export const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'data: [DONE]\n\n',
      '"usage":{',
      'event: message_stop\r\n',
      '\n\n',
      '</think>',
      '{"a":1}',
    ),
  },
)

const identifier = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,11}$/)
const opaqueText = fc.stringMatching(/^[A-Za-z0-9+/=]{1,16}$/)

/** A text in pieces that together are the text. */
const inPieces = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat(text.length), { maxLength: 4 }).map((cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
    return places.slice(1).map((end, index) => text.slice(places[index], end))
  })

const pieces = words.chain(inPieces)

const json = fc
  .dictionary(identifier, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value))

type OfChoice<E> = E extends { readonly choice: number } ? Omit<E, 'choice'> : never
type Bare = OfChoice<StreamEvent>

const text: fc.Arbitrary<Bare[]> = fc
  .record({ texts: pieces, signature: fc.option(opaqueText, { nil: undefined, freq: 8 }) })
  .map(({ texts, signature }) =>
    texts.map((piece, index) => ({
      kind: 'text',
      text: piece,
      ...(index === texts.length - 1 ? defined({ signature }) : {}),
    })),
  )

const refusal: fc.Arbitrary<Bare[]> = pieces.map((texts) => texts.map((piece) => ({ kind: 'refusal', text: piece })))

const thought: fc.Arbitrary<Bare[]> = fc
  .record({
    texts: pieces,
    by: fc.constantFrom(...dialectNames),
    closing: fc.oneof(
      fc.constant({}),
      opaqueText.map((signature) => ({ signature })),
      opaqueText.map((encrypted) => ({ encrypted })),
      opaqueText.map((encrypted) => ({ encrypted, late: true })),
    ),
  })
  .map(({ texts, by, closing }): Bare[] => {
    const isOpen = Object.keys(closing).length === 0
    const thoughts = texts.map((piece): Bare => ({ kind: 'thinking', text: piece }))
    // Encrypted reasoning is emitted at once, with its summary.
    if ('late' in closing)
      return [...thoughts, { kind: 'thinking', text: '', by: 'openai-responses', encrypted: closing.encrypted }]
    if ('encrypted' in closing) return [{ kind: 'thinking', text: texts.join(''), by, ...closing }]
    return isOpen ? thoughts : [...thoughts, { kind: 'thinking', text: '', by, ...closing }]
  })

interface Call {
  readonly name: string
  readonly custom: boolean
  readonly signature: string | undefined
  readonly texts: readonly string[]
}

const call: fc.Arbitrary<Call> = fc.boolean().chain((custom) =>
  fc.record({
    name: identifier,
    custom: fc.constant(custom),
    signature: fc.option(opaqueText, { nil: undefined, freq: 4 }),
    texts: custom ? pieces : json.chain(inPieces),
  }),
)

/** Several calls; `turns` says whose arguments go on next when all have begun at once. */
interface Group {
  readonly calls: readonly Call[]
  readonly turns: readonly number[] | undefined
}

const group: fc.Arbitrary<Group> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  turns: fc.option(fc.array(fc.nat(2), { maxLength: 12 }), { nil: undefined }),
})

const groupEvents = ({ calls, turns }: Group, first: number): Bare[] => {
  const beginnings = calls.map(({ name, custom, signature }, at): Bare => {
    const extras = defined({ custom: custom ? (true as const) : undefined, signature })
    return { kind: 'tool_call', index: first + at, id: `call_${first + at}`, name, ...extras }
  })
  const rest = calls.map(({ texts }, at) =>
    texts.map((piece): Bare => ({ kind: 'arguments', index: first + at, text: piece })),
  )
  if (turns === undefined) return beginnings.flatMap((beginning, at) => [beginning, ...(rest[at] ?? [])])
  const mixed = turns.flatMap((turn) => rest[turn % calls.length]?.splice(0, 1) ?? [])
  return [...beginnings, ...mixed, ...rest.flat()]
}

const finishes: readonly Finish[] = [
  'stop',
  'stop_sequence',
  'length',
  'tool_calls',
  'content_filter',
  'refusal',
  'pause',
]

const segment = fc.oneof(text, refusal, thought, group)

/** Everything that one choice says, its reason at the end. */
const choiceEvents = (choice: number): fc.Arbitrary<StreamEvent[]> =>
  fc.record({ segments: fc.array(segment, { maxLength: 5 }), finish: fc.constantFrom(...finishes) }).map((content) => {
    let calls = 0
    const events = content.segments.flatMap((one): Bare[] => {
      if (Array.isArray(one)) return one
      const group = groupEvents(one, calls)
      calls += one.calls.length
      return group
    })
    const last: Bare = {
      kind: 'finish',
      finish: content.finish,
      ...(content.finish === 'stop_sequence' ? { stopSequence: 'x' } : {}),
    }
    return [...events, last].map((event): StreamEvent => ({ ...event, choice }))
  })

const count = fc.nat(1000)

export const usage: fc.Arbitrary<Usage> = fc
  .record({ input: count, cacheRead: count, cacheWrite: count, cacheWrite1h: count, output: count, part: count })
  .map(({ part, ...counts }) => ({
    ...noUsage,
    ...counts,
    output: counts.output + 1,
    reasoning: Math.min(part, counts.output),
  }))

const framed = (events: readonly StreamEvent[], used: Usage, early: boolean): StreamEvent[] => [
  { kind: 'start', id: 'r1', model: 'm1', created: 7 },
  ...(early ? [{ kind: 'usage', usage: { ...noUsage, input: 1 } } as const] : []),
  ...events,
  { kind: 'usage', usage: used },
  { kind: 'end' },
]

/** A whole stream of one choice. */
export const stream: fc.Arbitrary<StreamEvent[]> = fc
  .record({ events: choiceEvents(0), used: usage, early: fc.boolean() })
  .map(({ events, used, early }) => framed(events, used, early))

/** A whole stream of two choices that speak in turns. */
export const streamOfTwo: fc.Arbitrary<StreamEvent[]> = fc
  .record({
    first: choiceEvents(0),
    second: choiceEvents(1),
    turns: fc.array(fc.boolean(), { maxLength: 30 }),
    used: usage,
  })
  .map(({ first, second, turns, used }) => {
    const [one, two] = [[...first], [...second]]
    const mixed = turns.flatMap((turn) => (turn ? one : two).splice(0, 1))
    return framed([...mixed, ...one, ...two], used, false)
  })

/** Events in any order, as no provider should send them. */
export const chaos: fc.Arbitrary<StreamEvent[]> = fc.array(
  fc.oneof(
    streamOfTwo.chain((events) => fc.constantFrom(...events)),
    fc.constant({ kind: 'error', type: 'overloaded_error', message: 'Overloaded' } as const),
    fc.constant({ kind: 'end' } as const),
    fc.record({ kind: fc.constant('arguments' as const), choice: fc.nat(1), index: fc.nat(4), text: words }),
    fc.record({
      kind: fc.constant('citation' as const),
      choice: fc.constant(0),
      citation: fc.record({ url: fc.webUrl(), title: words }),
    }),
    fc.record({ kind: fc.constant('audio' as const), choice: fc.constant(0), data: opaqueText, transcript: words }),
  ),
  { maxLength: 20 },
)
