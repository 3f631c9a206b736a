import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { DomainProof } from './domain-proof.tsx'

const day = 86_400
const now = Math.floor(Date.now() / 1000)
const record = { name: '_tollgate.acme.test', value: 'tollgate-domain=abc' }
const unproved = { ...record, proved_time: 0, seen_time: 0, missed_time: 0, ends_time: 0 }
const proved = { ...unproved, proved_time: now - 90 * day, seen_time: now - 2 * 3600 }
const missing = { ...proved, seen_time: now - 3 * day, missed_time: now - 2 * day, ends_time: now + 4 * day }

let sent: Sent[]
const onProved = vi.fn()

const show = async (answer: typeof unproved, isOwn = true): Promise<void> => {
  sent = fakeFetch({
    'GET /api/organisation/5/domain': () => answer,
    'POST /api/organisation/5/domain': () => null,
  })
  await renderConsole(<DomainProof id={5} domain="acme.test" isOwn={isOwn} onProved={onProved} />)
}

beforeEach(() => {
  setLanguage('en')
  onProved.mockClear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the proof of a domain', () => {
  it('says when its record was seen last, and shows the record on request', async () => {
    await show(proved)
    expect(await screen.findByText('Record last found')).toBeTruthy()
    expect(screen.getByText('2 hours ago')).toBeTruthy()
    expect(screen.queryByText(record.value)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show record' }))
    expect(await screen.findByText(record.value)).toBeTruthy()
  })

  it('warns of a missing record, with what to restore', async () => {
    await show(missing)
    expect((await screen.findByRole('status')).textContent).toMatch(
      /missing since .+ verification ends on .+ at the earliest/,
    )
    expect(screen.getByText(record.value)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Check record' }))
    await waitFor(() => expect(onProved).toHaveBeenCalledWith('acme.test'))
  })

  it('is offered for a domain that nothing proves by DNS, and asks for nothing before', async () => {
    await show(unproved, false)
    expect(sent).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Verify by DNS record' }))
    expect(await screen.findByText(record.value)).toBeTruthy()
    expect(screen.queryByText('Record last found')).toBeNull()
  })
})
