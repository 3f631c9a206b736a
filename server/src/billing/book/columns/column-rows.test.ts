import { expect, it } from 'vitest'
import { priceColumns } from './column-rows.ts'
import hosts from './hosts.json' with { type: 'json' }

const keyOf = ({ provider, models }: { readonly provider: string; readonly models: readonly string[] }): string =>
  `${provider} ${models[0]}`

it('holds the rows of every table, each model once', () => {
  const names = priceColumns.flatMap(({ provider, models }) => models.map((model) => `${provider} ${model}`))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('moonshotai kimi-k3')
  for (const provider of ['openai', 'google', 'aws', 'fireworks']) {
    expect(priceColumns.some((columns) => columns.provider === provider)).toBe(true)
  }
})

it('is sorted by provider and model', () => {
  expect(hosts.rows.map(keyOf)).toEqual(hosts.rows.map(keyOf).toSorted())
  for (const { models } of priceColumns) expect(models).toEqual(models.toSorted())
})

it('states something in every row', () => {
  expect(priceColumns.filter(({ longWrites, tiers }) => longWrites === undefined && tiers === undefined)).toEqual([])
})
