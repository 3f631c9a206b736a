import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, role, type User } from '../../../lib/api/contract.ts'
import { forgetUser } from '../../../lib/api/session.ts'
import { endSession } from '../../../lib/loading/hold-reads.ts'
import { usePersonalMessages } from '../messages.ts'

/** Cancels the account after its name was typed; nothing of it can be used afterwards, and it cannot be undone. */
export const DeleteAccount = ({ user }: { user: User | undefined }) => {
  const say = usePersonalMessages()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const isRoot = user?.role === role.root
  const remove = async (): Promise<void> => {
    await call(calls.deleteSelf)
    await endSession(client, async () => {
      forgetUser()
      // The account is gone, so there is no form left to save.
      await navigate({ to: '/login', search: { done: 'deleted' }, ignoreBlocker: true })
      // Not before: the page that is left would ask anew, and be refused.
      client.clear()
    })
  }
  return (
    <Section id="danger" title={say('danger')}>
      <p className="muted">{say(isRoot ? 'deleteRoot' : 'deleteText')}</p>
      <Button color="bad" variant="outline" disabled={!user || isRoot} onClick={() => setAsking(true)}>
        {say('delete')}
      </Button>
      {user && (
        <ConfirmAction
          opened={asking}
          onClose={() => setAsking(false)}
          title={say('deleteConfirm', { name: user.username })}
          effect={say('deleteEffect')}
          confirmLabel={say('delete')}
          typeToConfirm={user.username}
          typeLabel={say('deleteType')}
          onConfirm={remove}
          danger
        />
      )}
    </Section>
  )
}
