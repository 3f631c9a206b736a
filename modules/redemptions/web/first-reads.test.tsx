import { waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { readAheadInto } from '#web/lib/loading/read-ahead.ts'
import { createQueryClient } from '#web/lib/query.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { firstRead, RedemptionsScreen } from './screen.tsx'

it('reads ahead of the screen what it asks for: nothing is asked twice', async () => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  const list = '/api/redemption/search'
  const sent = fakeFetch({ [`GET ${list}`]: () => ({ items: [], total: 90 }) })
  const client = createQueryClient()
  firstRead(readAheadInto(client), {}, {})
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(sent.map(({ path }) => path)).toEqual([list])
  await renderConsole(<RedemptionsScreen />, '/redemption', client)
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(sent.filter(({ path, query }) => path === list && query.page_size !== '1')).toHaveLength(1)
})
