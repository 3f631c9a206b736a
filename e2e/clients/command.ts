import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agents } from './agents/index.ts'
import { type Change, compareRows, type Row, readRows } from './compare.ts'
import { newestVersions, pinned, type Versions } from './install.ts'
import { clientsPart, partOf, tableOf, withClientsPart } from './page.ts'
import { runClients } from './run.ts'
import { sdks } from './sdks/index.ts'

/**
 * `npm run clients`: runs official clients and agents through the built gateway and compares what they did with docs/conformance.md.
 * Words choose clients by their names, `--write` writes the page, `--newest` takes the newest versions of the registries and says what
 * changed. `CLIENTS_FOLDER` is where they are installed, `CLIENTS_PYTHON` the interpreter for those in Python. Ends with 1 when a cell
 * got worse.
 */
const words = process.argv.slice(2)
const isNewest = words.includes('--newest')
const isWriting = words.includes('--write')
const chosen = words.filter((word) => !word.startsWith('--'))

const page = join(import.meta.dirname, '../../docs/conformance.md')

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const all = [...sdks, ...agents]
const clients = all.filter(
  ({ name }) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().includes(word.toLowerCase())),
)

const printVersions = (newest: Versions): void => {
  for (const registry of ['npm', 'pypi'] as const)
    for (const [name, version] of Object.entries(newest[registry])) {
      const before = pinned[registry][name]
      if (version !== before) print(`${registry} ${name}: ${before} → ${version}`)
    }
}

/** Rows in the order of the list; those of clients that were not run stay as they are. */
const merged = (before: readonly Row[], now: readonly Row[]): Row[] =>
  all.flatMap(({ name }) => now.find((row) => row.client === name) ?? before.find((row) => row.client === name) ?? [])

const changeLine = ({ client, upstream, verdict, text }: Change): string =>
  `${verdict}: ${client} at ${upstream} ${text}`

const versions = isNewest ? await newestVersions(clients) : pinned
if (isNewest) printVersions(versions)
const rows = await runClients(clients, versions, print)
print(`\n${tableOf(rows).join('\n')}\n`)
const text = readFileSync(page, 'utf8')
const before = readRows(clientsPart(text))
const changes = compareRows(before, rows)
for (const change of changes) print(changeLine(change))
if (changes.length === 0) print('nothing changed')
if (isWriting && !isNewest) writeFileSync(page, withClientsPart(text, partOf(merged(before, rows))))
if (changes.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1
