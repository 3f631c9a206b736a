import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientsPart, withClientsPart } from '../e2e/clients/page.ts'
import { chunkings, mayCut } from '../e2e/conformance/chunkings.ts'
import { pageOf } from '../e2e/conformance/page.ts'
import { clientNames, openProgram, type Result } from '../e2e/conformance/program.ts'
import { hasWire, startReplay } from '../server/test/support/relay/wire.ts'

/** Plays all recorded exchanges to all clients and writes docs/conformance.md; with a word, only those that it names, and no page. The part about clients stays. */

const page = join(import.meta.dirname, '../docs/conformance.md')

const print = ({ row, complaints }: Result): void => {
  if (complaints.length === 0) return
  const { client, chunking, served, recording } = row
  process.stdout.write(`${client} ← ${served.provider} ${recording.id}, cut by ${chunking}\n`)
  for (const complaint of complaints) process.stdout.write(`  ${complaint}\n`)
}

const play = async (word: string | undefined): Promise<void> => {
  const program = await openProgram(startReplay)
  try {
    const chosen = program.recordings.filter(
      ({ served: { provider, format }, recording: { id } }) =>
        word === undefined || `${provider} ${format} ${id}`.includes(word),
    )
    const rows = chunkings.flatMap((chunking) =>
      chosen
        .filter(({ recording }) => mayCut(recording, chunking))
        .flatMap((exchange) => clientNames.map((client) => ({ ...exchange, client, chunking }))),
    )
    const results = await program.run(rows)
    results.forEach(print)
    const failed = results.filter(({ complaints }) => complaints.length > 0).length
    process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
    if (word === undefined)
      writeFileSync(page, withClientsPart(pageOf(results), clientsPart(readFileSync(page, 'utf8'))))
    process.exitCode = failed === 0 ? 0 : 1
  } finally {
    await program.close()
  }
}

// One client warns of every model that its maker will switch off some day.
console.warn = () => {}
if (hasWire) await play(process.argv[2])
else process.stdout.write('No recorded exchanges were found: there is nothing to play\n')
