import { Button } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { calls } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { ConfirmAction } from './confirm-action.tsx'

/** Deletes token 3 from a button or from a dialog, beside a list that is read again. */
const Screen = () => {
  const groups = useEndpoint(calls.listGroups)
  const remove = useAction(calls.deleteToken, {
    done: 'Deleted',
    refresh: [calls.listGroups],
    refreshAfterFailure: [calls.listGroups],
  })
  return (
    <>
      <p>{groups.data?.join() ?? 'no groups'}</p>
      <Button loading={remove.busy} onClick={() => void remove.run({ params: { id: 3 } })}>
        Delete
      </Button>
      <ConfirmAction
        opened
        onClose={() => undefined}
        title="Delete it?"
        effect="It is gone."
        confirmLabel="Confirm"
        onConfirm={() => remove.submit({ params: { id: 3 } })}
      />
    </>
  )
}

const serve = (remove: () => unknown) => {
  let reads = 0
  return fakeFetch({
    'GET /api/group/': () => {
      reads += 1
      return [`group ${reads}`]
    },
    'DELETE /api/token/3': remove,
  })
}

it('notifies and reads again after a change', async () => {
  serve(() => null)
  await renderConsole(<Screen />)
  await screen.findByText('group 1')
  await userEvent.click(await screen.findByText('Delete'))
  expect(await screen.findByText('Deleted')).toBeTruthy()
  expect(await screen.findByText('group 2')).toBeTruthy()
})

it('shows the failure of a button as a notification, and reads again what may be out of date', async () => {
  serve(() => refused('No such token', 'not_found'))
  await renderConsole(<Screen />)
  await screen.findByText('group 1')
  await userEvent.click(await screen.findByText('Delete'))
  const notification = await screen.findByText('No such token')
  expect(notification.closest('[role=dialog]')).toBeNull()
  expect(await screen.findByText('group 2')).toBeTruthy()
})

it('shows the failure of a dialog in the dialog, which stays open for another try', async () => {
  let works = false
  serve(() => (works ? null : refused('No such token', 'not_found')))
  await renderConsole(<Screen />)
  await userEvent.click(await screen.findByText('Confirm'))
  const failure = await screen.findByText('No such token')
  expect(failure.closest('[role=dialog]')).not.toBeNull()
  works = true
  await userEvent.click(screen.getByText('Confirm'))
  expect(await screen.findByText('Deleted')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('No such token')).toBeNull())
})

it('does not send the form that it stands in', async () => {
  const [sent, confirmed] = [vi.fn(), vi.fn()]
  await renderConsole(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
    >
      <ConfirmAction
        opened
        onClose={() => undefined}
        title="Start import?"
        effect="All is written."
        confirmLabel="Confirm"
        onConfirm={confirmed}
      />
    </form>,
  )
  await userEvent.click(await screen.findByText('Confirm'))
  await waitFor(() => expect(confirmed).toHaveBeenCalledOnce())
  expect(sent).not.toHaveBeenCalled()
})
