import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outdatedLists } from './lists.ts'

/** Writes the lists of modules anew, after a folder of `modules` came or went. */
for (const [path, text] of outdatedLists()) {
  const file = join(import.meta.dirname, '../..', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`${path}\n`)
}
