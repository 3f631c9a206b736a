import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasWire, type Recording } from '../server/src/relay/testing-wire.ts'
import { chunkings, mayCut } from './conformance/chunkings.ts'
import { clientNames, openProgram, type Program, type Result } from './conformance/program.ts'
import type { Row } from './conformance/row.ts'
import { type Served, served } from './conformance/served.ts'

/** A part of `npm run conformance`: of each provider some recorded exchanges, played to the official clients of all dialects. */

if (!hasWire) console.warn('No recorded exchanges were found: playing them to the official clients is skipped')

/** Of each provider, format and kind of answer. */
const most = 2

const spread = <T>(all: readonly T[], count: number): T[] =>
  all.length <= count ? [...all] : all.filter((_, at) => at % Math.ceil(all.length / count) === 0)

const kindOf = ({ stream, response }: Recording): string => `${stream} ${response.status >= 400}`

const sampleOf = (recordings: Program['recordings']): Program['recordings'] =>
  [
    ...Map.groupBy(recordings, ({ served: its, recording }) => `${its.provider} ${its.format} ${kindOf(recording)}`),
  ].flatMap(([, its]) => spread(its, most))

/** Each exchange is cut in another way than the one before. */
const rowsOf = (recordings: Program['recordings']): Row[] =>
  sampleOf(recordings).flatMap((its, at) =>
    clientNames.map((client, number) => {
      const chunking = chunkings[(at + number) % chunkings.length] ?? 'event'
      return { ...its, client, chunking: mayCut(its.recording, chunking) ? chunking : 'byte:7' }
    }),
  )

const nameOf = ({ provider, format }: Served): string => `${provider}, ${format}`

describe.skipIf(!hasWire)('the official client', () => {
  let program: Program
  let results: readonly Result[]

  beforeAll(async () => {
    // One client warns of every model that its maker will switch off some day.
    vi.spyOn(console, 'warn').mockReturnValue()
    program = await openProgram()
    results = await program.run(rowsOf(program.recordings))
  })
  afterAll(() => program?.close())

  describe.each(clientNames)('of %s', (client) => {
    it.each([...new Set(served.map(nameOf))])('hears and pays for what was recorded: %s', (name) => {
      const its = results.filter(({ row }) => row.client === client && nameOf(row.served) === name)
      expect(its.length).toBeGreaterThan(0)
      const wrong = its.filter(({ complaints }) => complaints.length > 0)
      expect(wrong.map(({ row, complaints }) => [row.recording.id, row.chunking, ...complaints])).toEqual([])
    })
  })
})
