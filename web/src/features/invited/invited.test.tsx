import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { forgetUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'

const secret = 's'.repeat(43)

const open = (path: string, hash: string): void => {
  window.location.hash = hash
  render(<RouterProvider router={createConsoleRouter(createMemoryHistory({ initialEntries: [`${path}#${hash}`] }))} />)
}

beforeEach(() => {
  forgetUser()
  setLanguage('en')
})

it('sets the password of the invited user with the secret of the link', async () => {
  const sent = fakeFetch({ 'POST /api/user/invitation/accept': () => undefined })
  open('/invited?id=12&name=dave', secret)
  expect(((await screen.findByLabelText('Username')) as HTMLInputElement).value).toBe('dave')
  await userEvent.type(screen.getByLabelText('Password'), 'short')
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  expect(screen.getByText('Use at least 8 characters')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Password'), ' but longer')
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByText('Your password is set')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to sign-in' })).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([{ id: 12, secret, password: 'short but longer' }])
})

it('says why a link no longer works', async () => {
  fakeFetch({ 'POST /api/user/invitation/accept': () => refused('邀请链接无效或已过期', 'invitation_invalid') })
  open('/invited?id=12&name=dave', secret)
  await userEvent.type(await screen.findByLabelText('Password'), 'a good password')
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
})

it('does not take half a link', async () => {
  fakeFetch({})
  open('/invited?id=12', 'half')
  expect(await screen.findByText('This invitation link is incomplete. Ask for a new one.')).toBeTruthy()
})
