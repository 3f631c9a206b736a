import { Button } from '@mantine/core'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { ConfirmDialog } from '../form/confirm-dialog.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'

const Reveal = () => {
  const reveal = useAction(calls.revealToken, { done: ({ key }) => `key ${key}` })
  return (
    <>
      <Button loading={reveal.busy} onClick={() => void reveal.run({ params: { id: 3 } })}>
        reveal
      </Button>
      <ConfirmIdentity />
    </>
  )
}

const AskingReveal = () => {
  const reveal = useAction(calls.revealToken, { done: ({ key }) => `key ${key}` })
  const [asks, setAsks] = useState(true)
  return (
    <>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title="Show the key?"
        effect=""
        confirmLabel="go on"
        onConfirm={() => reveal.submit({ params: { id: 3 } })}
      />
      <ConfirmIdentity />
    </>
  )
}

/** A server that shows a key only after the identity is confirmed. */
const guardedServer = (methods: readonly string[]) => {
  let proved = false
  return fakeFetch({
    'GET /api/user/self/confirm': () => ({ methods, confirmed_until: 0 }),
    'POST /api/user/self/confirm': ({ body }) => {
      const code = Object.values(body as Record<string, string>)[0]
      if (code !== 'right') return refused('验证码错误或已被使用', 'second_factor_wrong')
      proved = true
      return undefined
    },
    'POST /api/token/3/key': () => (proved ? { key: 'abc' } : refused('请先验证身份', 'confirmation_required')),
  })
}
const start = async (): Promise<void> => {
  await renderConsole(<Reveal />)
  await userEvent.click(screen.getByRole('button', { name: 'reveal' }))
}
const prove = async (label: string, text: string): Promise<void> => {
  await userEvent.type(await screen.findByLabelText(label), text)
  await userEvent.click(screen.getByRole('button', { name: '验证' }))
}

it('asks for a code, then makes the call again', async () => {
  const sent = guardedServer(['totp'])
  await start()
  await prove('验证码', 'wrong')
  expect(await screen.findByText('验证码错误或已被使用')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('验证码'))
  await prove('验证码', 'right')
  expect(await screen.findByText('key abc')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.filter(({ path }) => path === '/api/token/3/key')).toHaveLength(2)
})

it('asks for the password where there is nothing else', async () => {
  const sent = guardedServer(['password'])
  await start()
  await prove('密码', 'right')
  expect(await screen.findByText('key abc')).toBeTruthy()
  expect(sent.find(({ method, path }) => method === 'POST' && path.endsWith('/confirm'))?.body).toEqual({
    password: 'right',
  })
})

it('does nothing, and says so, when the person gives up', async () => {
  const sent = guardedServer(['totp'])
  await start()
  await userEvent.click(await screen.findByRole('button', { name: '取消' }))
  const remark = await screen.findByText('未验证身份，操作未执行')
  expect(remark.closest('[role=alert]')).toBeNull()
  expect(sent.filter(({ path }) => path === '/api/token/3/key')).toHaveLength(1)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'reveal' })))
})

it('leaves no error in a dialog whose act was given up, and asks again at the next try', async () => {
  guardedServer(['password'])
  await renderConsole(<AskingReveal />)
  const act = async () => userEvent.click(await screen.findByRole('button', { name: 'go on' }))
  await act()
  await userEvent.click(
    await within(await screen.findByRole('dialog', { name: '验证身份' })).findByRole('button', { name: '取消' }),
  )
  await screen.findByText('未验证身份，操作未执行')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '验证身份' })).toBeNull())
  expect(within(screen.getByRole('dialog', { name: 'Show the key?' })).queryByRole('alert')).toBeNull()
  await act()
  await prove('密码', 'right')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('key abc')).toBeTruthy()
})

it('offers a new sign-in to accounts that can prove nothing else', async () => {
  guardedServer([])
  await start()
  expect(await screen.findByRole('button', { name: '重新登录' })).toBeTruthy()
})
