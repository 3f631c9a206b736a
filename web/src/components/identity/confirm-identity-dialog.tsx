import { Button, Group, Modal, PasswordInput, Skeleton, TextInput } from '@mantine/core'
import { longestCode } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { browserHasPasskeys } from '../../lib/sign-in/passkey-support.ts'
import { ErrorState } from '../states.tsx'
import classes from './confirm-identity.module.css'
import { useConfirmIdentityWords } from './confirm-identity-messages.ts'

// Over sheets and other dialogs, under the notifications.
const zIndex = 450

interface FieldProps {
  kind: 'code' | 'password'
  value: string
  onChange: (text: string) => void
  problem: string | undefined
}

const SecretField = ({ kind, value, onChange, problem }: FieldProps) => {
  const say = useConfirmIdentityWords()
  const [recovery, setRecovery] = useState(false)
  const shared = { value, error: problem, 'data-autofocus': true }
  if (kind === 'password') {
    return (
      <PasswordInput
        {...shared}
        label={say('password')}
        autoComplete="current-password"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <>
      <TextInput
        {...shared}
        label={recovery ? say('recovery') : say('code')}
        description={recovery ? say('recoveryHint') : say('codeHint')}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        maxLength={longestCode}
        classNames={{ input: 'mono' }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <button type="button" className={`text-button ${classes.other}`} onClick={() => setRecovery(!recovery)}>
        {recovery ? say('useCode') : say('useRecovery')}
      </button>
    </>
  )
}

type Method = 'totp' | 'passkey' | 'password'

const Proof = ({ methods, onAnswer }: { methods: readonly Method[]; onAnswer: (proved: boolean) => void }) => {
  const say = useConfirmIdentityWords()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const typed = methods.includes('totp') ? 'code' : methods.includes('password') ? 'password' : undefined
  const byPasskey = methods.includes('passkey') && browserHasPasskeys()

  const prove = async (work: () => Promise<boolean>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      if (await work()) return onAnswer(true)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') {
      setProblem(say('missing'))
      return
    }
    const body = typed === 'code' ? { code: text } : { password: text }
    void prove(async () => {
      await call(calls.confirmIdentity, { body })
      return true
    })
  }
  const askPasskey = (): void =>
    void prove(async () => {
      const passkeys = await import('../../lib/sign-in/passkeys.ts')
      const answer = await passkeys.askPasskey(await call(calls.beginPasskeyConfirmation))
      if (answer) await call(calls.finishPasskeyConfirmation, { body: { answer } })
      return answer !== undefined
    })
  if (typed === undefined && !byPasskey) return <p>{say('none')}</p>
  return (
    <form onSubmit={submit} noValidate>
      {typed && <SecretField kind={typed} value={text} onChange={setText} problem={problem} />}
      {!typed && problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      {byPasskey && (
        <Button
          mt="sm"
          fullWidth
          variant={typed ? 'default' : 'filled'}
          onClick={askPasskey}
          disabled={busy}
          {...(typed ? {} : { 'data-autofocus': true })}
        >
          {say('passkey')}
        </Button>
      )}
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={() => onAnswer(false)} disabled={busy}>
          {say('cancel')}
        </Button>
        {typed && (
          <Button type="submit" variant="filled" loading={busy}>
            {say('submit')}
          </Button>
        )}
      </Group>
    </form>
  )
}

const loginAgain = (): void => {
  const { pathname, search } = window.location
  void call(calls.logout).finally(() => {
    window.location.assign(`/login?${new URLSearchParams({ next: pathname + search })}`)
  })
}

/** Asks for a code, a recovery code, a passkey or the password, depending on the account. */
export const ConfirmIdentityDialog = ({ onAnswer }: { onAnswer: (proved: boolean) => void }) => {
  const say = useConfirmIdentityWords()
  const state = useEndpoint(calls.getConfirmation, {}, { staleTimeMs: 0 })
  const methods = state.data?.methods
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={<strong className="strong">{say('title')}</strong>}
      withCloseButton={false}
      zIndex={zIndex}
    >
      <p className={`muted ${classes.text}`}>{say('text')}</p>
      {state.error && !methods ? (
        <ErrorState error={state.error} onRetry={() => void state.refetch()} />
      ) : methods === undefined ? (
        <Skeleton h={96} />
      ) : methods.length === 0 ? (
        <>
          <p>{say('none')}</p>
          <Group justify="flex-end" mt="lg" gap={8}>
            <Button onClick={() => onAnswer(false)}>{say('cancel')}</Button>
            <Button variant="filled" onClick={loginAgain} data-autofocus>
              {say('signIn')}
            </Button>
          </Group>
        </>
      ) : (
        <Proof methods={methods} onAnswer={onAnswer} />
      )}
    </Modal>
  )
}
