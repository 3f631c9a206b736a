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
  const { search, list } = createChannelListing(lists, { counts: async () => new Map() }, { digest: () => 'hash' })
  const query = { keyword: '', group: '', model: '', id_sort: false }
  await search({ ...query, tag_mode: false }, { byKey: true })
  await search({ ...query, tag_mode: true }, { byKey: true })
  await list({ p: 0, page_size: 10, id_sort: false, tag_mode: true })
  expect(limits).toEqual([10_000, 10_000, 10_000, 10, 10_000])
})
