import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect, eventsOf } from '../../src/dialects/conversation/collect.ts'
import type { StreamEvent } from '../../src/dialects/conversation/stream-event.ts'
import { eventFrames } from '../../src/dialects/frames.ts'
import { textOf } from '../support/dialects/answer-text.ts'
import { stream, streamOfTwo } from '../support/dialects/events.ts'
import { type Speaker, silentConversation, speakers } from '../support/dialects/speakers.ts'

const printed = ({ client }: Speaker, events: readonly StreamEvent[]): string => {
  const writer = client.openStream(silentConversation)
  return events.map((event) => writer.write(event)).join('')
}

const read = ({ upstream }: Speaker, chunks: readonly Buffer[]): StreamEvent[] => {
  const frames = eventFrames()
  const reader = upstream.openStream()
  const events = chunks.flatMap((chunk) => frames.push(chunk)).flatMap((message) => reader.read(message, ''))
  return [...events, ...frames.rest().flatMap((message) => reader.read(message, '')), ...reader.end()]
}

const cutAt = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

const countOf = (events: readonly StreamEvent[], kind: StreamEvent['kind']): number =>
  events.filter((event) => event.kind === kind).length

describe.each(speakers)('a stream in $name', (speaker) => {
  const { name, client, upstream } = speaker

  it('contains whatever a model answered, in pieces and at once', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const again = read(speaker, [Buffer.from(printed(speaker, events))])
        expect(textOf(collect(again), name)).toEqual(textOf(collect(events), name))
        expect([countOf(again, 'start'), countOf(again, 'end')]).toEqual([1, 1])
        expect(again.at(-1)).toEqual({ kind: 'end' })
      }),
      { numRuns: 1000 },
    )
  })

  it('contains several interleaved answers, where the dialect can', () => {
    fc.assert(
      fc.property(streamOfTwo, (events) => {
        const again = read(speaker, [Buffer.from(printed(speaker, events))])
        expect(textOf(collect(again), name)).toEqual(textOf(collect(events), name))
      }),
      { numRuns: 500 },
    )
  })

  it('says the same as the whole answer', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const answer = collect(events)
        const again = upstream.readAnswer(JSON.parse(JSON.stringify(client.writeAnswer(answer, silentConversation))))
        expect(textOf(again, name)).toEqual(textOf(answer, name))
        expect(textOf(collect(eventsOf(answer)), name)).toEqual(textOf(answer, name))
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same events however its bytes are cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), fc.boolean(), (events, cuts, crlf) => {
        const text = printed(speaker, events)
        const bytes = Buffer.from(crlf ? text.replaceAll('\n', '\r\n') : text)
        expect(read(speaker, cutAt(bytes, cuts))).toEqual(read(speaker, [bytes]))
        expect(
          read(
            speaker,
            [...bytes].map((byte) => Buffer.from([byte])),
          ),
        ).toEqual(read(speaker, [bytes]))
      }),
      { numRuns: 100 },
    )
  })
})
