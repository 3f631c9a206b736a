import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasWire, type Recording, startReplay } from '../server/test/support/relay/wire.ts'
import { chunkings, mayCut } from './conformance/chunkings.ts'
import { clientNames, openProgram, type Program, type Result } from './conformance/program.ts'
import type { Row } from './conformance/row.ts'
import type { Served } from './conformance/served.ts'
import { startCorpus } from './corpus/replay.ts'

/**
 * Exchanges of providers, played to the official clients of all dialects: those that are written in `corpus`, and, where they are
 * found beside the project, some recorded ones of each provider (a part of `npm run conformance`).
 */

if (!hasWire) console.warn('No recorded exchanges were found: playing them to the official clients is skipped')

/** Of each provider, format and kind of answer. */
const most = 2

const spread = <T>(all: readonly T[], count: number): T[] =>
  all.length <= count ? [...all] : all.filter((_, at) => at % Math.ceil(all.length / count) === 0)

const kindOf = ({ stream, response }: Recording): string => `${stream} ${response.status >= 400}`

const sampleOf = (recordings: Program['recordings']): Program['recordings'] =>
  [
    ...Map.groupBy(
      recordings,
      ({ served: exchange, recording }) => `${exchange.provider} ${exchange.format} ${kindOf(recording)}`,
    ),
  ].flatMap(([, alike]) => spread(alike, most))

/** Each exchange is cut in another way than the one before. */
const rowsOf = (recordings: Program['recordings']): Row[] =>
  recordings.flatMap((exchange, at) =>
    clientNames.map((client, number) => {
      const chunking = chunkings[(at + number) % chunkings.length] ?? 'event'
      return { ...exchange, client, chunking: mayCut(exchange.recording, chunking) ? chunking : 'byte:7' }
    }),
  )

const nameOf = ({ provider, format }: Served): string => `${provider}, ${format}`

interface Source {
  readonly name: string
  readonly start: typeof startReplay
  readonly choose: (recordings: Program['recordings']) => Program['recordings']
  readonly present: boolean
}

const sources: readonly Source[] = [
  { name: 'written', start: startCorpus, choose: (recordings) => recordings, present: true },
  { name: 'recorded', start: startReplay, choose: sampleOf, present: hasWire },
]

describe.each(sources)('$name exchanges', ({ start, choose, present }) => {
  describe.skipIf(!present)('played to the official client', () => {
    let program: Program
    let results: readonly Result[]

    beforeAll(async () => {
      // One client warns about every deprecated model.
      vi.spyOn(console, 'warn').mockReturnValue()
      program = await openProgram(start)
      results = await program.run(rowsOf(choose(program.recordings)))
    })
    afterAll(() => program?.close())

    it.each(clientNames)('of %s arrive whole and are billed', (client) => {
      const played = results.filter(({ row }) => row.client === client)
      expect(new Set(played.map(({ row }) => nameOf(row.served))).size).toBeGreaterThan(3)
      const wrong = played.filter(({ complaints }) => complaints.length > 0)
      expect(wrong.map(({ row, complaints }) => [row.recording.id, row.chunking, ...complaints])).toEqual([])
    })
  })
})
