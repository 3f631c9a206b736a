import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import classes from './security.module.css'
import { useSecurityMessages } from './security-messages.ts'

const RecoveryCodesSheet = onDemand(async () => (await import('./security-recovery-codes.tsx')).RecoveryCodesSheet)
const TotpSetupSheet = onDemand(async () => (await import('./security-totp-setup.tsx')).TotpSetupSheet)

const fewCodes = 3

/** The second factor: set up with an authenticator, recovery codes, switched off again. */
export const TwoStep = () => {
  const say = useSecurityMessages()
  const state = useEndpoint(calls.getSecondFactor)
  const [asking, setAsking] = useState<'disable' | 'codes'>()
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useAction(calls.beginSecondFactor, { onDone: (begun) => setSetup(begun) })
  const disable = useAction(calls.disableSecondFactor, { refresh: [calls.getSecondFactor], done: say('disabled') })
  const replace = useAction(calls.replaceRecoveryCodes, {
    refresh: [calls.getSecondFactor],
    onDone: (data) => setCodes(data.recovery_codes),
  })
  if (!state.data) {
    return (
      <Section id="two-step" title={say('totp')}>
        {state.error ? <ErrorState error={state.error} onRetry={() => void state.refetch()} /> : <Skeleton h={88} />}
      </Section>
    )
  }
  const { enabled, recovery_codes_left: left, access_token: token } = state.data
  return (
    <Section id="two-step" title={say('totp')}>
      <p className="muted">{say('totpText')}</p>
      <div className={classes.line}>
        <StatusBadge tone={enabled ? 'good' : 'neutral'} label={enabled ? say('on') : say('off')} />
        {enabled && <span className="muted">{say('codesLeft', { count: left })}</span>}
        <span className={classes.grow} />
        {enabled ? (
          <>
            <Button onClick={() => setAsking('codes')}>{say('newCodes')}</Button>
            <Button color="bad" variant="outline" onClick={() => setAsking('disable')}>
              {say('disable')}
            </Button>
          </>
        ) : (
          <Button variant="filled" loading={begin.busy} onClick={() => void begin.run()}>
            {say('enable')}
          </Button>
        )}
      </div>
      {enabled && left <= fewCodes && <p className={`${classes.note} ${classes.warn}`}>{say('codesFew')}</p>}
      {enabled && token && <p className={classes.note}>{say('accessToken')}</p>}
      {setup && (
        <TotpSetupSheet
          setup={setup}
          onClose={() => setSetup(undefined)}
          onDone={(made) => {
            setSetup(undefined)
            setCodes(made)
          }}
        />
      )}
      {codes && <RecoveryCodesSheet codes={codes} onClose={() => setCodes(undefined)} />}
      <ConfirmAction
        opened={asking === 'disable'}
        onClose={() => setAsking(undefined)}
        title={say('disableTitle')}
        effect={say('disableEffect')}
        confirmLabel={say('disable')}
        onConfirm={() => disable.submit()}
        danger
      />
      <ConfirmAction
        opened={asking === 'codes'}
        onClose={() => setAsking(undefined)}
        title={say('newCodesTitle')}
        effect={say('newCodesEffect')}
        confirmLabel={say('newCodes')}
        onConfirm={() => replace.submit()}
      />
    </Section>
  )
}
