import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser, storedUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { createQueryClient } from '../../lib/query.ts'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { JoinScreen, keptInvitation } from './screen.tsx'

const secret = 'a'.repeat(43)
const ada = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' }
const invitation = { organisation: 'Northwind', team: '', role: 'member', email: '' }
let sent: Sent[]

const open = async (hash: string, answers: Readonly<Record<string, FakeAnswer>> = {}) => {
  history.replaceState(null, '', `/join${hash}`)
  sent = fakeFetch({
    'GET /api/session': () => storedUser() ?? null,
    'GET /api/home_page_content': () => '',
    'POST /api/organisation/invitation': () => invitation,
    ...answers,
  })
  return renderConsole(<JoinScreen />, '/join', createQueryClient(), '/join')
}

beforeEach(() => {
  setLanguage('en')
  sessionStorage.clear()
  forgetUser()
})
afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

describe('the link of an invitation', () => {
  it('says who invites, and leads a stranger through signing in back to it', async () => {
    await open(`#${secret}`, { 'POST /api/organisation/invitation': () => ({ ...invitation, team: 'Platform' }) })
    expect(await screen.findByText('Northwind invited you to join the team Platform as member.')).toBeTruthy()
    for (const name of ['Sign in', 'Register'])
      expect(screen.getByRole('link', { name }).getAttribute('href')).toContain('next=%2Fjoin')
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
    // The way back has no secret in its address, so that this tab keeps it.
    expect(location.hash).toBe('')
    expect(keptInvitation()).toBe(secret)
  })

  it('joins, opens the organisation, and shows it in the sidebar from then on', async () => {
    storeUser(ada)
    const { router } = await open(`#${secret}`, { 'POST /api/organisation/invitation/accept': () => ({ id: 5 }) })
    expect(await screen.findByText('Signed in as Ada')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/organisation/5'))
    expect(sent.find(({ path }) => path.endsWith('/accept'))?.body).toEqual({ secret })
    expect(storedUser()?.organisations).toBe('belongs')
    expect(keptInvitation()).toBeUndefined()
  })

  it('offers another account to somebody for whom it is not, and keeps the secret for it', async () => {
    storeUser(ada)
    const { router } = await open(`#${secret}`, {
      'POST /api/organisation/invitation': () => ({ ...invitation, email: 'carol@example.com' }),
      'POST /api/organisation/invitation/accept': () => refused('not for you', 'invitation_of_another_address'),
      'GET /api/user/logout': () => null,
    })
    expect(await screen.findByText(/This invitation is for carol@example.com/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Join' }))
    expect((await screen.findByRole('alert')).textContent).toContain('was sent to a different email address')
    await userEvent.click(screen.getByRole('button', { name: 'Use another account' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(router.state.location.search).toMatchObject({ next: '/join' })
    expect(storedUser()).toBeUndefined()
    expect(keptInvitation()).toBe(secret)
  })

  it('says what the server says of a link that was used, and forgets it', async () => {
    storeUser(ada)
    await open(`#${secret}`, {
      'POST /api/organisation/invitation': () => refused('This was used', 'invitation_used', 410),
    })
    expect((await screen.findByRole('alert')).textContent).toContain('This was used')
    expect(screen.getByRole('link', { name: 'My organisations' }).getAttribute('href')).toBe('/organisation')
    expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
    expect(keptInvitation()).toBeUndefined()
  })

  it.each(['', '#short', `#${'a'.repeat(44)}`])(
    'asks the server nothing for a link that is not whole: %s',
    async (hash) => {
      await open(hash)
      expect((await screen.findByRole('alert')).textContent).toContain('incomplete')
      expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
    },
  )
})
