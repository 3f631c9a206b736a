import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { usePersonalMessages } from '../messages.ts'
import classes from '../personal.module.css'

/** Makes the system access token: after a question, and shown once. */
export const SystemToken = () => {
  const say = usePersonalMessages()
  const [asking, setAsking] = useState(false)
  const [token, setToken] = useState<string>()
  const make = useAction(calls.createAccessToken, { onDone: (made) => setToken(made) })
  return (
    <Section id="access-token" title={say('token')}>
      <p className="muted">{say('tokenText')}</p>
      {token && (
        <div className={classes.token} role="status">
          <CopyText text={token} name={say('token')} secret />
          <p>{say('tokenMade')}</p>
        </div>
      )}
      <Button onClick={() => setAsking(true)}>{say('tokenMake')}</Button>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('tokenConfirm')}
        effect={say('tokenEffect')}
        confirmLabel={say('tokenMake')}
        onConfirm={() => make.submit()}
        danger
      />
    </Section>
  )
}
