import { expect, it } from 'vitest'
import { createChannelListing } from './lists.ts'

it('searches without pages, but not without end', async () => {
  const limits: (number | undefined)[] = []
  const lists = {
    find: async (...[, , slice]: readonly [unknown, unknown, { limit: number }?]) => {
      limits.push(slice?.limit)
      return []
    },
    tags: async (...[, slice]: readonly [unknown, { limit: number }?]) => {
      limits.push(slice?.limit)
      return ['a']
    },
    count: async () => 0,
    facet: async () => ({ values: [], capped: false }),
  }
  const { search, list } = createChannelListing(
    lists,
    { counts: async () => new Map() },
    { digest: () => 'hash' },
    async () => new Map(),
  )
  const query = { keyword: '', group: '', model: '', id_sort: false }
  await search({ ...query, tag_mode: false }, { byKey: true })
  await search({ ...query, tag_mode: true }, { byKey: true })
  await list({ p: 0, page_size: 10, id_sort: false, tag_mode: true })
  expect(limits).toEqual([10_000, 10_000, 10_000, 10, 10_000])
})

it('lists the channels that need attention', async () => {
  const found: unknown[] = []
  const lists = {
    find: async ({ ids }: { ids?: unknown }) => {
      found.push(ids)
      return []
    },
    tags: async () => [],
    count: async () => 0,
    facet: async () => ({ values: [], capped: false }),
  }
  const keys = { counts: async () => new Map() }
  const { browse } = createChannelListing(
    lists,
    keys,
    { digest: () => 'hash' },
    async () => new Map([[7, ['failing']]]),
  )
  const filter = { keyword: '', model: '', group: [], status: [], type: [], tag: [], not: [] }
  await browse({ ...filter, attention: '1', p: 1, page_size: 10, sort: undefined }, { byKey: true })
  await browse({ ...filter, attention: '', p: 1, page_size: 10, sort: undefined }, { byKey: true })
  expect(found).toEqual([[7], undefined])
})
