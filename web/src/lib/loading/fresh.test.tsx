import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeFetch, type Sent } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { calls } from '../api/contract.ts'
import { createQueryClient, useRefresh } from '../query.ts'
import { useFresh } from './fresh.ts'
import { freshForMs, readAheadInto } from './read-ahead.ts'

const seven = { params: { id: 7 } }
const noon = Date.parse('2026-11-20T12:00:00Z')

const Sheet = () => {
  const { data } = useFresh(calls.getToken, seven)
  return <output>{data ? data.remain_quota : '…'}</output>
}
const shown = (): string | null => screen.getByRole('status').textContent

describe('what a form begins with', () => {
  let sent: Sent[]
  let client: ReturnType<typeof createQueryClient>

  beforeEach(async () => {
    vi.useFakeTimers({ now: noon, toFake: ['Date'] })
    let balance = 100
    sent = fakeFetch({ 'GET /api/token/7': () => ({ id: 7, remain_quota: balance++ }) })
    client = createQueryClient()
    readAheadInto(client)(calls.getToken, seven)
    await waitFor(() => expect(client.isFetching()).toBe(0))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is what was read ahead a moment ago', async () => {
    await renderConsole(<Sheet />, '/', client)
    expect(shown()).toBe('100')
    expect(sent).toHaveLength(1)
  })

  it('is read anew where that is some seconds old', async () => {
    vi.setSystemTime(noon + freshForMs + 1)
    await renderConsole(<Sheet />, '/', client)
    expect(shown()).toBe('…')
    await waitFor(() => expect(shown()).toBe('101'))
  })

  it('is read anew after anything was changed', async () => {
    let refresh: ReturnType<typeof useRefresh> | undefined
    const Other = () => {
      refresh = useRefresh()
      return null
    }
    const view = await renderConsole(<Other />, '/', client)
    await act(async () => refresh?.(calls.browseTokens))
    view.unmount()
    await renderConsole(<Sheet />, '/', client)
    expect(shown()).toBe('…')
    await waitFor(() => expect(shown()).toBe('101'))
  })
})
