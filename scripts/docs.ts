import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorsPage } from './docs-errors.ts'
import { logEventsPage } from './docs-log-events.ts'
import { optionsPage } from './docs-options.ts'
import { disagreementsPart, unpricedPart } from './docs-prices.ts'
import { proofsPage } from './docs-proofs.ts'
import { ownerlessTables } from './docs-tables.ts'
import { configurationGaps } from './docs-variables.ts'
import { floorsTable } from './structure/floors.ts'

/**
 * Prints the reference pages from the contract, the table of floors, and the lists of the page of prices. With `--check` writes nothing and fails when a page is out of date or
 * the configuration page and the server disagree about the environment.
 */
const root = join(import.meta.dirname, '..')
const current = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** A page with what stands between two markers replaced. Throws when the page has no such markers. */
const withPart = (page: string, name: string, part: string): string => {
  const [begin, end] = [`<!-- ${name}: npm run docs -->`, `<!-- /${name} -->`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The page has no part ${name}.`)
  return `${before}${begin}\n\n${part}\n\n${end}${after}`
}

const floors = 'docs/architecture/floors.md'
const prices = 'docs/prices.md'
const pricesPage = withPart(current(join(root, prices)), 'disagreements', disagreementsPart())
const pages: Readonly<Record<string, string>> = {
  'docs/reference/options.md': optionsPage(),
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/log-events.md': logEventsPage(),
  'docs/reference/proofs.md': proofsPage(),
  [prices]: withPart(pricesPage, 'unpriced', unpricedPart()),
  [floors]: withPart(current(join(root, floors)), 'floors', floorsTable()),
}

const outdated = Object.entries(pages).filter(([path, text]) => current(join(root, path)) !== text)
const gaps = [
  ...configurationGaps(readFileSync(join(root, 'docs/configuration.md'), 'utf8')),
  ...ownerlessTables(readFileSync(join(root, 'docs/architecture/data.md'), 'utf8')),
]

const check = (): void => {
  const complaints = [...outdated.map(([path]) => `${path} is out of date: run npm run docs`), ...gaps]
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}

const write = (): void => {
  for (const [path, text] of outdated) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    process.stdout.write(`${path}\n`)
  }
  for (const gap of gaps) process.stderr.write(`${gap}\n`)
}

if (process.argv.includes('--check')) check()
else write()
