import { Button } from '@mantine/core'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { User } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { ResetSecondFactorDialog, useResetSecondFactor } from './reset-second-factor.tsx'

const of = (id: number, role: number) => ({ id, username: `user${id}`, role, status: 1, DeletedAt: null }) as User

const Actions = ({ user }: { user: User }) => {
  const reset = useResetSecondFactor()
  return (
    <>
      {reset.actions(user).map(({ label, onClick, disabled }) => (
        <Button key={label} onClick={onClick} disabled={disabled === true}>
          {label}
        </Button>
      ))}
      <ResetSecondFactorDialog {...reset} />
    </>
  )
}

it('resets after a question that names the user', async () => {
  storeUser({ id: 2, username: 'admin', display_name: '', role: 10, status: 1, group: 'default' })
  const sent = fakeFetch({ 'POST /api/user/7/2fa/reset': () => undefined })
  await renderConsole(<Actions user={of(7, 1)} />)
  await userEvent.click(screen.getByRole('button', { name: '重置两步验证' }))
  expect(sent).toEqual([])
  const dialog = await screen.findByRole('dialog', { name: '重置「user7」的两步验证？' })
  await userEvent.click(within(dialog).getByRole('button', { name: '重置两步验证' }))
  expect(await screen.findByText('两步验证已重置')).toBeTruthy()
})

it('is not offered for people of the same level', async () => {
  storeUser({ id: 2, username: 'admin', display_name: '', role: 10, status: 1, group: 'default' })
  fakeFetch({})
  await renderConsole(<Actions user={of(8, 10)} />)
  expect((screen.getByRole('button', { name: '重置两步验证' }) as HTMLButtonElement).disabled).toBe(true)
})
