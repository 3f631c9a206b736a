import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { toNumber } from '../../decimal.ts'
import { completeRates } from '../../overrides/rates-of-list.ts'
import { readCatalogue } from '../catalogue.ts'
import { catalogueSource, createListBook } from '../list-book.ts'
import type { ListBook } from '../list-price.ts'
import { openShippedBook } from '../shipped-book.ts'
import { shippedCatalogue } from '../shipped-lists.ts'
import type { ComparedFigures, ComparedKind } from './disagreement.ts'
import { disagreements } from './index.ts'

/** The second source: dollars per token of each kind. */
interface SecondPrice {
  readonly mode?: string
  readonly input_cost_per_token?: number
  readonly output_cost_per_token?: number
  readonly cache_read_input_token_cost?: number
  readonly cache_creation_input_token_cost?: number
}

const file = new URL('../../../../../../shared/data/prices-2026-11.json', import.meta.url)
const isThere = existsSync(file)
const second: Readonly<Record<string, SecondPrice>> = isThere ? JSON.parse(readFileSync(file, 'utf8')) : {}

const now = Date.UTC(2026, 10, 23, 12)
const textModes: ReadonlySet<string> = new Set(['chat', 'completion', 'responses'])
const kinds: readonly ComparedKind[] = ['input', 'output', 'cache_read', 'cache_write']

const ratesIn = (book: ListBook, name: string): Readonly<Record<ComparedKind, number>> | undefined => {
  const found = book.find(name, now)
  if (found === undefined) return undefined
  const { input, output, cache_read, cache_write } = completeRates(found.rates)
  const [i, o, r, w] = [input, output, cache_read, cache_write].map((rate) => Number(toNumber(rate).toPrecision(10)))
  return { input: i ?? 0, output: o ?? 0, cache_read: r ?? 0, cache_write: w ?? 0 }
}

const perMillion = (dollars: number | undefined): number | undefined =>
  dollars === undefined ? undefined : Number((dollars * 1_000_000).toPrecision(8))

const secondRates = (price: SecondPrice): Readonly<Record<ComparedKind, number | undefined>> => ({
  input: perMillion(price.input_cost_per_token),
  output: perMillion(price.output_cost_per_token),
  cache_read: perMillion(price.cache_read_input_token_cost),
  // It has 0 where a provider does not charge for writing on top of the prompt.
  cache_write: perMillion(price.cache_creation_input_token_cost || undefined),
})

const differs = (ours: number, theirs: number | undefined): theirs is number =>
  theirs !== undefined && Math.abs(ours - theirs) > 1e-6 * Math.max(1, ours)

/** Kinds whose prices differ, each with ours and theirs; undefined where all agree or the book has no price. */
const differenceOf = (book: ListBook, name: string, price: SecondPrice): ComparedFigures | undefined => {
  const ours = ratesIn(book, name)
  if (ours === undefined) return undefined
  const theirs = secondRates(price)
  const found = kinds.flatMap((kind) => (differs(ours[kind], theirs[kind]) ? [[kind, [ours[kind], theirs[kind]]]] : []))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

let catalogue: ListBook
let shipped: ListBook
beforeAll(async () => {
  const { providers, version } = await shippedCatalogue()
  catalogue = createListBook([catalogueSource(readCatalogue(providers, version))])
  shipped = await openShippedBook()
})

describe('the list of disagreements', () => {
  it('names each model once, sorted within a reason', () => {
    const names = disagreements.map(({ models }) => Object.keys(models))
    for (const models of names) expect(models).toEqual(models.toSorted())
    expect(new Set(names.flat()).size).toBe(names.flat().length)
  })

  it('has figures that differ', () => {
    const figures = disagreements.flatMap(({ models }) => Object.values(models))
    const pairs = figures.flatMap((compared) => Object.values<readonly [number, number]>(compared))
    expect(pairs.length).toBeGreaterThan(100)
    expect(pairs.filter(([catalogue, second]) => catalogue === second)).toEqual([])
  })
})

describe.skipIf(!isThere)(
  `the catalogue and the second source${isThere ? '' : ' (skipped: ../shared/data is absent)'}`,
  () => {
    const texts = Object.entries(second).filter(([, { mode = '' }]) => textModes.has(mode))

    it('disagree only where the table says so, and by as much', () => {
      const found = texts.flatMap(([name, price]) => {
        const difference = differenceOf(catalogue, name, price)
        return difference === undefined ? [] : [[name, difference]]
      })
      const listed = disagreements.flatMap(({ models }) => Object.entries(models))
      expect(found.length).toBeGreaterThan(100)
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed))
    })

    it('agree about several hundred other models', () => {
      const known = texts.filter(([name]) => catalogue.find(name, now) !== undefined)
      const listed = new Set(disagreements.flatMap(({ models }) => Object.keys(models)))
      expect(known.filter(([name]) => !listed.has(name)).length).toBeGreaterThan(500)
    })

    it.each(disagreements.map((row) => [row.why, row] as const))('%s', (_, { follow, models }) => {
      for (const name of Object.keys(models)) {
        const ours = ratesIn(shipped, name)
        if (follow === 'catalogue') expect([name, ours]).toEqual([name, ratesIn(catalogue, name)])
        if (follow === 'second source')
          expect([name, differenceOf(shipped, name, second[name] ?? {})]).toEqual([name, undefined])
        if (follow === 'provider') expect(shipped.find(name, now)?.version).toContain('tables')
      }
    })
  },
)
