import { Button, Group, Modal, PasswordInput, Skeleton, TextInput } from '@mantine/core'
import { longestCode } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { belowBase, withoutBase } from '../../lib/url/page-paths.ts'
import type { ShownSignInWay } from '../parts/sign-in-way.ts'
import { possibleSignInWays } from '../parts/sign-in-ways.ts'
import { ErrorState } from '../states.tsx'
import classes from './confirm-identity.module.css'
import { useConfirmIdentityMessages } from './confirm-identity-messages.ts'

// Over sheets and other dialogs, under the notifications.
const zIndex = 450

interface FieldProps {
  kind: 'code' | 'password'
  value: string
  onChange: (text: string) => void
  problem: string | undefined
}

const SecretField = ({ kind, value, onChange, problem }: FieldProps) => {
  const say = useConfirmIdentityMessages()
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

const Proof = ({ methods, onAnswer }: { methods: readonly string[]; onAnswer: (proved: boolean) => void }) => {
  const say = useConfirmIdentityMessages()
  const language = useLanguage()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const typed = methods.includes('totp') ? 'code' : methods.includes('password') ? 'password' : undefined
  const ways = possibleSignInWays().filter(({ method }) => methods.includes(method))

  const accept = { onDone: (proved: boolean) => void (proved && onAnswer(true)) }
  const byText = useAction(async (): Promise<boolean> => {
    await call(calls.confirmIdentity, { body: typed === 'code' ? { code: text } : { password: text } })
    return true
  }, accept)
  const byOther = useAction((way: ShownSignInWay) => way.confirm(), accept)
  const busy = byText.busy || byOther.busy
  const prove = (way?: ShownSignInWay): void => {
    setProblem(undefined)
    const proof = way === undefined ? byText.submit() : byOther.submit(way)
    proof.catch((error: unknown) => setProblem(errorText(error)))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') {
      setProblem(say('missing'))
      return
    }
    prove()
  }
  if (typed === undefined && ways.length === 0) return <p>{say('none')}</p>
  return (
    <form onSubmit={submit} noValidate>
      {typed && <SecretField kind={typed} value={text} onChange={setText} problem={problem} />}
      {!typed && problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      {ways.map((way, index) => (
        <Button
          key={way.method}
          mt="sm"
          fullWidth
          variant={typed ? 'default' : 'filled'}
          onClick={() => prove(way)}
          disabled={busy}
          {...(typed || index > 0 ? {} : { 'data-autofocus': true })}
        >
          {textIn(way.shortTitle, language)}
        </Button>
      ))}
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
    window.location.assign(belowBase(`/login?${new URLSearchParams({ next: withoutBase(pathname) + search })}`))
  })
}

/** Asks for a code, a recovery code, the password or another way to sign in, depending on the account. */
export const ConfirmIdentityDialog = ({ onAnswer }: { onAnswer: (proved: boolean) => void }) => {
  const say = useConfirmIdentityMessages()
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
