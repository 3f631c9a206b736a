import { waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect } from 'vitest'
import { storeUser } from '../lib/api/session.ts'
import { type FirstRead, readAheadInto } from '../lib/loading/read-ahead.ts'
import { writeText } from '../lib/preferences/storage.ts'
import { createQueryClient } from '../lib/query.ts'
import { fakeFetch, type Sent } from './fake-fetch.ts'
import { renderConsole } from './render-console.tsx'

export interface ScreenReads {
  path: string
  load: () => Promise<{ firstRead: FirstRead }>
  screen: string
  /** The screen's first reads. */
  list: string
  beside?: string
}

const addressOf = ({ path, query }: Sent): string => `${path}?${new URLSearchParams(query)}`

/** A root user who has chosen how tables look. */
export const signInForReads = (): void => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  writeText('page-size', '50')
  writeText('id-sort', 'true')
}

/** Fails where a screen asks again for what was read ahead of it. */
export const expectNothingAskedTwice = async ({ path, load, screen, list, beside }: ScreenReads): Promise<void> => {
  const answers = {
    [`GET ${list}`]: () => ({ items: [], total: 90 }),
    ...(beside ? { [`GET ${beside}`]: () => ({ quota: 0, rpm: 0, tpm: 0 }) } : {}),
  }
  const sent = fakeFetch(answers)
  const module = await load()
  const client = createQueryClient()
  const search = Object.fromEntries(new URL(path, 'http://console.test').searchParams)
  module.firstRead(readAheadInto(client), search, {})
  await waitFor(() => expect(client.isFetching()).toBe(0))
  const ahead = sent.map(addressOf)
  expect(sent.map((call) => call.path)).toEqual(beside ? [list, beside] : [list])
  expect(ahead[0]).toContain('page_size=50')

  const Screen = (module as unknown as Record<string, ComponentType>)[screen] as ComponentType
  await renderConsole(<Screen />, path, client)
  await waitFor(() => expect(client.isFetching()).toBe(0))
  const lists = sent.filter((call) => call.path === list && call.query.page_size !== '1')
  expect(lists.map(addressOf)).toEqual(ahead.slice(0, 1))
  expect(sent.filter((call) => call.path === beside)).toHaveLength(beside ? 1 : 0)
}
