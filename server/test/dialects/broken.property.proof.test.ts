import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect } from '../../src/dialects/conversation/collect.ts'
import { isObject, parsedJson } from '../../src/dialects/conversation/json.ts'
import type { StreamEvent } from '../../src/dialects/conversation/stream-event.ts'
import { eventFrames } from '../../src/dialects/frames.ts'
import { payloads } from '../../src/lib/sse.ts'
import { chaos, streamOfTwo, words } from '../support/dialects/events.ts'
import { silentConversation, speakers } from '../support/dialects/speakers.ts'
import { spoiled } from '../support/dialects/spoiled.ts'

/** Providers that break off, lie about their types or send something else altogether. */

const startsOf: Readonly<Record<string, RegExp>> = {
  anthropic: /^event: message_start$/gm,
  'openai-responses': /^event: response\.created$/gm,
}
const endsOf: Readonly<Record<string, RegExp>> = {
  'openai-chat': /^data: (\[DONE\]|\{"error":)/gm,
  'openai-responses': /^event: (response\.(completed|incomplete|failed)|error)$/gm,
  anthropic: /^event: (message_stop|error)$/gm,
  gemini: /^data: (\{"candidates":[^\n]*"usageMetadata"|\{"error":)/gm,
}

const countOf = (text: string, pattern: RegExp | undefined): number =>
  pattern ? (text.match(pattern) ?? []).length : 0
const isLast = ({ kind }: StreamEvent): boolean => kind === 'end' || kind === 'error'

describe.each(speakers)('in $name', ({ name, client, upstream }) => {
  const print = (events: readonly StreamEvent[]): string[] => {
    const writer = client.openStream(silentConversation)
    return events.map((event) => writer.write(event))
  }

  it('a stream is printed with one start and one end, and nothing behind it, whatever happens', () => {
    fc.assert(
      fc.property(chaos, (events) => {
        const printed = print([...events, { kind: 'end' }])
        const text = printed.join('')
        expect(countOf(text, endsOf[name])).toBe(1)
        expect(countOf(text, startsOf[name])).toBeLessThanOrEqual(1)
        expect(printed.slice(events.findIndex(isLast) + 1 || printed.length).join('')).toBe('')
        expect(payloads(text).filter((payload) => payload !== '[DONE]' && !isObject(parsedJson(payload)))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  const readAll = (bytes: Buffer): StreamEvent[] => {
    const frames = eventFrames()
    const reader = upstream.openStream()
    const messages = [...frames.push(bytes), ...frames.rest()]
    const events = messages.flatMap((message) => reader.read(message, ''))
    return [...events, ...reader.end(), ...reader.end(), ...reader.read(messages[0] ?? '{}', '')]
  }

  const expectOneEnd = (events: readonly StreamEvent[]): void => {
    expect(events.filter(isLast)).toHaveLength(1)
    expect(events.findIndex(isLast)).toBe(events.length - 1)
    expect(events.filter(({ kind }) => kind === 'start').length).toBeLessThanOrEqual(1)
    for (const speaker of speakers) {
      const writer = speaker.client.openStream(silentConversation)
      const text = events.map((event) => writer.write(event)).join('')
      expect(countOf(text, endsOf[speaker.name])).toBe(1)
    }
    expect(() => collect(events)).not.toThrow()
  }

  it('a stream that is cut off, goes wrong or goes on too long ends once, in every other dialect too', () => {
    const broken = fc.record({
      events: streamOfTwo,
      cut: fc.nat(),
      rubbish: fc.oneof(
        words,
        fc.constantFrom('data: {"error":{"message":"Overloaded"}}\n\n', 'event: error\n\n', '<html>'),
      ),
      at: fc.nat(),
    })
    fc.assert(
      fc.property(broken, ({ events, cut, rubbish, at }) => {
        const text = Buffer.from(print(events).join(''))
        expectOneEnd(readAll(text.subarray(0, cut % (text.length + 1))))
        const place = at % (text.length + 1)
        expectOneEnd(readAll(Buffer.concat([text.subarray(0, place), Buffer.from(rubbish), text.subarray(place)])))
        expectOneEnd(readAll(Buffer.concat([text, text])))
      }),
      { numRuns: 300 },
    )
  })

  it('a stream whose values are of another kind than they should be is read without a fall', () => {
    const lies = streamOfTwo
      .map((events) => payloads(print(events).join('')))
      .chain((messages) =>
        fc
          .tuple(
            fc.nat(messages.length - 1),
            ...messages.map((message) => {
              const json = parsedJson(message)
              return json === undefined
                ? fc.constant(message)
                : spoiled(json).map((value) => JSON.stringify(value) ?? '')
            }),
          )
          .map(([spared, ...changed]) => messages.map((message, at) => (at < spared ? message : (changed[at] ?? '')))),
      )
    fc.assert(
      fc.property(lies, (messages) => {
        expectOneEnd(readAll(Buffer.from(messages.map((message) => `data: ${message}\n\n`).join(''))))
      }),
      { numRuns: 300 },
    )
  })

  it('an answer whose values are of another kind than they should be is read without a fall', () => {
    const lie = streamOfTwo
      .map((events) => JSON.parse(JSON.stringify(client.writeAnswer(collect(events), silentConversation))))
      .chain(spoiled)
    fc.assert(
      fc.property(lie, (json) => {
        if (!isObject(json)) return
        const answer = upstream.readAnswer(json)
        for (const speaker of speakers)
          expect(isObject(speaker.client.writeAnswer(answer, silentConversation))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
