import { Button } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ConfirmIdentity } from '#web/components/identity/confirm-identity.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'

const bytes = new Uint8Array([1, 2, 3]).buffer

/** The answer of an authenticator, or a person who closes its dialog. */
const authenticator = { declines: false }

beforeEach(() => {
  authenticator.declines = false
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async () => {
        if (authenticator.declines) throw new DOMException('declined', 'NotAllowedError')
        const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }
        return { id: 'AQID', rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) }
      },
    },
  })
})

const challenge = { challenge: 'AQID', allowCredentials: [] }

const Reveal = () => {
  const reveal = useAction(calls.revealToken, { done: ({ key }) => `key ${key}` })
  return (
    <>
      <Button onClick={() => void reveal.run({ params: { id: 3 } })}>reveal</Button>
      <ConfirmIdentity />
    </>
  )
}

it('confirms who holds the session, and stays with the question where the person declines', async () => {
  let proved = false
  const sent = fakeFetch({
    'GET /api/user/self/confirm': () => ({ methods: ['passkey'], confirmed_until: 0, has_password: false }),
    'POST /api/user/passkey/verify/begin': () => challenge,
    'POST /api/user/passkey/verify/finish': () => {
      proved = true
      return undefined
    },
    'POST /api/token/3/key': () => (proved ? { key: 'abc' } : refused('请先验证身份', 'confirmation_required')),
  })
  await renderConsole(<Reveal />)
  await userEvent.click(screen.getByRole('button', { name: 'reveal' }))
  const ask = await screen.findByRole('button', { name: '使用通行密钥' })
  authenticator.declines = true
  await userEvent.click(ask)
  await waitFor(() => expect(sent.some(({ path }) => path.endsWith('/verify/begin'))).toBe(true))
  await waitFor(() => expect((ask as HTMLButtonElement).disabled).toBe(false))
  expect(sent.some(({ path }) => path.endsWith('/verify/finish'))).toBe(false)
  authenticator.declines = false
  await userEvent.click(ask)
  expect(await screen.findByText('key abc')).toBeTruthy()
  expect(sent.find(({ path }) => path.endsWith('/verify/finish'))?.body).toMatchObject({ answer: { id: 'AQID' } })
})

it('is offered for the accounts alone that have it', async () => {
  fakeFetch({
    'GET /api/user/self/confirm': () => ({ methods: ['password'], confirmed_until: 0, has_password: true }),
    'POST /api/token/3/key': () => refused('请先验证身份', 'confirmation_required'),
  })
  await renderConsole(<Reveal />)
  await userEvent.click(screen.getByRole('button', { name: 'reveal' }))
  expect(await screen.findByLabelText('密码')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '使用通行密钥' })).toBeNull()
})
